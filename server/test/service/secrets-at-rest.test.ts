import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { sql } from "kysely";
import { rotateKeys } from "#commands/rotate-keys";
import { createIds } from "#lib/ids";
import { createLogger, type Logger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { wrappingKey } from "#storage/wrapping-key";
import { Browser } from "../browser.ts";
import { hastyClock } from "../clock.ts";
import { forEachDatabase, type TestDatabase } from "../databases.ts";
import { createGroup, createMachineUser, createPerson, createServer, createSyncedServer } from "../factories.ts";
import { MCP_2025_11_25 } from "../gateway-kit.ts";
import { startCustomer } from "../oauth/customer.ts";
import { type Service, startService } from "../start-service.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const CANARIES = {
  // Includes characters that JSON and URLs escape.
  clientSecret: 'canary-client/secret+7Qx2 "\\ é&=',
  credentialsSecret: 'canary-credentials/secret+9Lm4 "\\ é&=',
  userKey: 'canary-user/key+3Wn8 "\\ &=',
  refusedKey: 'canary-refused/key+5Zt1 "\\ &=',
  sharedHeader: 'canary-shared/header+2Hd6 "\\ é&=',
  carried: 'canary-carried/value+8Kd3 "\\ é&=',
  wrongToken: "gh_at_canaryWrongTok_0123456789012345678901234567890123456789012abcdef",
  wrongKey: "gh_ak_01234567890123456789:gh_sk_0123456789012345678901234567890123456789012abcdef",
};

/** A secret in plain text, and in the encodings that careless code might write. */
function encodingsOf(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // Three alignments, because base64 of a substring depends on its offset.
  const base64 = [0, 1, 2].map((skip) => bytes.subarray(skip).toString("base64").slice(0, -4));
  const hex = bytes.toString("hex");
  const escaped = [encodeURIComponent(secret), new URLSearchParams({ "": secret }).toString().slice(1)];
  const inJson = JSON.stringify(secret).slice(1, -1);
  const twiceInJson = JSON.stringify(inJson).slice(1, -1);
  const texts = [
    secret,
    ...base64,
    ...base64.map(toBase64Url),
    hex,
    hex.toUpperCase(),
    ...escaped,
    inJson,
    twiceInJson,
  ];
  return [...new Set(texts)].map((text) => Buffer.from(text));
}

function keyEncodings(key: string): Buffer[] {
  const bytes = Buffer.from(key, "base64");
  const encodings = ["base64", "base64url", "hex"] as const;
  return [bytes, ...encodings.map((encoding) => Buffer.from(bytes.toString(encoding).slice(0, -4)))];
}

function toBase64Url(text: string): string {
  return text.replaceAll("+", "-").replaceAll("/", "_");
}

async function everythingStored({ databases, dataDir, dialect }: TestDatabase): Promise<Map<string, Buffer>> {
  const stored = new Map<string, Buffer>();
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && entry.name !== "gatehouse.key") stored.set(path, readFileSync(path));
  }
  if (dialect === "sqlite") return stored;
  for (const { name } of await databases.main.introspection.getTables()) {
    const { rows } = await sql`select ${sql.table(name)}::text as row from ${sql.table(name)}`.execute(databases.main);
    stored.set(`table ${name}`, Buffer.from(JSON.stringify(rows)));
  }
  return stored;
}

/** Performs every operation that receives or returns a secret; returns the secrets that the service created. */
async function useSecrets(service: Service): Promise<string[]> {
  const upstream = await startRawUpstream();
  const slug = await createSyncedServer(service, "Echo", upstream.url);
  const vaulted = await service.api("POST", "/api/mcp-servers", {
    name: "Vaulted",
    auth_settings: { authType: "proxy-oauth", clientId: "id", clientSecret: CANARIES.clientSecret },
  });
  assert.equal(vaulted.status, 201, vaulted.text);
  const user = await service.api(
    "POST",
    "/api/users",
    {
      is_machine_user: true,
      name: "bot",
      client_credentials: {
        tokenUrl: "https://idp.example.com/token",
        clientId: "id",
        clientSecret: CANARIES.credentialsSecret,
      },
    },
    { "idempotency-key": "once" },
  );
  assert.equal(user.status, 201, user.text);
  const { client_id, secret } = user.body.credentials;
  const token = await service.api("POST", "/api/api-tokens", { name: "ci", scopes: ["admin:read"] });
  assert.equal(token.status, 201, token.text);
  await createGroup(service, "bots", { slugs: [slug], emails: [user.body.data.email] });
  assert.equal((await service.api("PATCH", "/api/settings", { payload_capture: "full" })).status, 200);
  const carried = { note: CANARIES.carried };
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo__echo", arguments: carried } };
  assert.equal((await service.mcp(`${client_id}:${secret}`, call)).status, 200);
  assert.equal((await service.mcp(CANARIES.wrongKey, call)).status, 401);
  const authorization = `Bearer ${CANARIES.wrongToken}`;
  assert.equal((await service.http("/api/users", { headers: { authorization } })).status, 401);
  await service.api("PATCH", "/api/mcp-servers?slug=vaulted", {
    auth_settings: { clientSecret: CANARIES.clientSecret },
  });
  await upstream.close();
  await useKeys(service, user.body.data.email, `${client_id}:${secret}`);
  assert.match((await service.mcp(`${client_id}:${secret}`, call)).text, /Server \\"echo\\"/);
  const rotated = await service.api("POST", `/api/users/rotate-secret?email=${user.body.data.email}`, {
    overlap_seconds: 60,
  });
  assert.equal(rotated.status, 200, rotated.text);
  await createPerson(service, "Ada", "ada@example.com");
  const invited = await service.api("POST", "/api/users/invite?email=ada@example.com", undefined, {
    "idempotency-key": "invited",
  });
  assert.equal(invited.status, 201, invited.text);
  return [secret, token.body.token, rotated.body.credentials.secret, invited.body.invite_url.split("#")[1]];
}

/**
 * Uses a key that the server accepts and later rejects, and one that it rejects immediately and repeats in its
 * response.
 */
async function useKeys(service: Service, email: string, credential: string): Promise<void> {
  let isAccepted = true;
  const upstream = await startRawUpstream({
    behave: ({ headers }) => {
      const key = String(headers.authorization);
      if (isAccepted && key.endsWith(CANARIES.userKey)) return "json";
      const repeated = { "www-authenticate": `Bearer error="invalid_token", error_description=${key}` };
      return { status: 401, body: JSON.stringify({ error: key }), headers: repeated };
    },
  });
  const keyed = { mcp_proxy: JSON.stringify({ type: "http", url: upstream.url }), name: "Keyed" };
  await service.api("POST", "/api/mcp-servers", { ...keyed, auth_settings: { authType: "proxy-api-key" } });
  await createGroup(service, "keyed", { slugs: ["keyed"], emails: [email] });
  const put = (key: string) => service.api("PUT", `/api/user/api-key?email=${email}&mcp=keyed`, { key });
  assert.equal((await put(CANARIES.refusedKey)).status, 400);
  assert.equal((await put(CANARIES.userKey)).status, 200);
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "keyed__echo", arguments: {} } };
  assert.equal((await service.mcp(credential, call)).body.result.isError, undefined);
  isAccepted = false;
  const refused = await service.mcp(credential, call);
  assert.equal(refused.body.result.isError, true);
  for (const secret of [CANARIES.userKey, CANARIES.refusedKey]) {
    const answers = await Promise.all(
      ["/api/mcp-servers/keyed/connections", "/api/logs", "/api/audit", "/api/mcp-servers/keyed"].map((path) =>
        service.api("GET", path),
      ),
    );
    assert.equal(
      [refused, ...answers].some(({ text }) => text.includes(secret)),
      false,
    );
  }
  await upstream.close();
}

/** Calls a server with a shared header; the server repeats it in an error. Returns a check for after the key rotation. */
async function useSharedHeader(service: Service) {
  let isAccepted = true;
  const upstream = await startRawUpstream({
    behave: ({ headers }) => (isAccepted ? "json" : { status: 401, body: String(headers["x-api-key"]) }),
  });
  const sharedHeaders = { "X-Api-Key": CANARIES.sharedHeader };
  const slug = await createSyncedServer(service, "Shared", upstream.url, { auth_settings: { sharedHeaders } });
  const bot = await createMachineUser(service, "sharing");
  await createGroup(service, "shared", { slugs: [slug], emails: [bot.email] });
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "shared__echo", arguments: {} } };
  isAccepted = false;
  assert.doesNotMatch((await service.mcp(bot.credential, call)).text, /canary/);
  isAccepted = true;
  return async (restarted: Service) => {
    assert.equal((await restarted.mcp(bot.credential, call)).body.result.isError, undefined);
    const sent = upstream.seen.filter(({ method }) => method === "tools/call").at(-1)?.headers["x-api-key"];
    await upstream.close();
    assert.equal(sent, CANARIES.sharedHeader);
  };
}

/**
 * Completes one sign-in at a server and renews its token, leaves one unfinished, and leaves one link unopened. Returns
 * every secret that was exchanged.
 */
async function useOAuth(service: Service): Promise<string[]> {
  const customer = await startCustomer({ spell: (secret) => `canary/${secret}+4Vr6"\\&=` });
  const bot = await createMachineUser(service, "signed in");
  await createServer(service, "Signed", customer.url, { auth_settings: { authType: "proxy-oauth" } });
  await createGroup(service, "signed", { slugs: ["signed"], emails: [bot.email] });
  const newLink = async () => {
    const answer = await service.api("GET", `/api/user/auth-url?email=${bot.email}&mcp=signed`);
    assert.equal(answer.status, 200, answer.text);
    return new URL(answer.body.data.url).pathname;
  };
  const [finished, unfinished, unopened] = [await newLink(), await newLink(), await newLink()];
  const browser = new Browser(service);
  const signIn = async (link: string) =>
    new URL(await customer.agree((await browser.get(link)).headers.location ?? ""));
  const { pathname, search } = await signIn(finished);
  assert.equal((await browser.get(pathname + search)).status, 200);
  await signIn(unfinished);
  const send = (method: string, params: object) =>
    service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method, params });
  while (!(await send("tools/list", {})).text.includes("signed__whoami"));
  const ended = customer.goodTokens();
  for (const token of ended) customer.revokeToken(token);
  const called = await send("tools/call", { name: "signed__whoami", arguments: {} });
  assert.equal(called.body.result.isError, undefined, called.text);
  const names = ["state", "code", "code_verifier", "client_secret", "refresh_token"];
  const sent = names.map((name) =>
    customer.seen.map(({ fields }) => fields[name]).filter((value) => value !== undefined),
  );
  for (const [at, values] of sent.entries()) assert.ok(values.length > 0, `a ${names[at]} was sent`);
  const links = [finished, unfinished, unopened].map((link) => link.slice(link.lastIndexOf("/") + 1));
  await customer.close();
  return [...new Set([...sent.flat().map(String), ...ended, ...customer.goodTokens(), ...links])];
}

/** Opens an upstream session, whose id would let anyone use it. */
async function useUpstreamSession(service: Service): Promise<string[]> {
  const upstream = await startRawUpstream({ eras: "legacy", sessions: true });
  await createSyncedServer(service, "Sessions", upstream.url);
  const bot = await createMachineUser(service, "in session");
  await createGroup(service, "sessions", { slugs: ["sessions"], emails: [bot.email] });
  const send = (method: string, params: object, headers: Record<string, string> = {}) =>
    service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method, params }, headers);
  const client = { protocolVersion: MCP_2025_11_25, capabilities: {}, clientInfo: { name: "test", version: "1" } };
  const session = { "mcp-session-id": String((await send("initialize", client)).headers["mcp-session-id"]) };
  const called = await send("tools/call", { name: "sessions__echo", arguments: {} }, session);
  assert.equal(called.status, 200, called.text);
  const ids = upstream.seen.map(({ headers }) => headers["mcp-session-id"]).filter((id) => id !== undefined);
  assert.ok(ids.length > 0);
  await upstream.close();
  return [...new Set(ids.map(String))];
}

const READ = [
  ...[
    "/api/users",
    "/api/mcp-servers",
    "/api/mcp-servers/signed",
    "/api/mcp-servers/shared",
    "/api/mcp-servers/signed/connections",
  ],
  ...["/api/api-tokens", "/api/groups", "/api/settings", "/api/audit", "/api/logs", "/api/logs/stats"],
  ...["/api/logs/export?format=ndjson", "/api/logs/export?format=csv"],
];

/** What administrators can read and export (SEC-4). */
async function everythingAnswered(service: Service): Promise<Map<string, Buffer>> {
  const answered = new Map<string, Buffer>();
  for (const path of READ) {
    const { status, text, headers } = await service.api("GET", path);
    assert.equal(status, 200, `${path}: ${text}`);
    answered.set(`GET ${path}`, Buffer.from(JSON.stringify(headers) + text));
  }
  return answered;
}

/** Rotates data keys as an operator does next to the service, a minute after the new keys were created. */
async function rotateDataKeys({ databases: { main: db } }: TestDatabase, key: Buffer, logger: Logger): Promise<void> {
  const clock = hastyClock(Date.now());
  const context = { db, clock, newId: createIds(clock, systemRandom) };
  const print = (line: string) => logger.info(line);
  const progress = { report: print, update: print };
  const { moved } = await rotateKeys(context, [wrappingKey(key)], logger, { dataKeys: true, progress });
  assert.ok(moved > 0);
}

forEachDatabase("data at rest (SEC-2)", (open) => {
  it("contains no secret in any encoding: files, tables, log, responses, and exports", async () => {
    const database = await open();
    const lines: string[] = [];
    const logger = createLogger("trace", { write: (line) => void lines.push(line) });
    const service = await startService(database, { logger });
    const sharedHeaderWorks = await useSharedHeader(service);
    const made = [...(await useSecrets(service)), ...(await useOAuth(service)), ...(await useUpstreamSession(service))];
    for (const table of ["connections", "oauth_clients", "oauth_flows", "upstream_sessions"] as const) {
      const rows = await database.databases.main.selectFrom(table).select("id").execute();
      assert.ok(rows.length > 0, `${table} has sealed values`);
    }
    await service.api("GET", "/api/logs");
    assert.ok((await database.databases.calls.selectFrom("call_payloads").select("id").execute()).length > 0);
    const key = readFileSync(join(database.dataDir, "gatehouse.key"), "utf8").trim();
    await rotateDataKeys(database, Buffer.from(key, "base64"), logger);
    const secrets = [...made, ...Object.values(CANARIES), service.token];
    const answered = await everythingAnswered(service);
    const whileRunning = await everythingStored(database);
    await service.close();
    const restarted = await startService(database, { logger });
    await sharedHeaderWorks(restarted).finally(() => restarted.close());
    const places = new Map([
      ...answered,
      ...[...whileRunning].map(([name, bytes]) => [`${name} (running)`, bytes] as const),
      ...(await everythingStored(database)),
      ["the log", Buffer.from(lines.join(""))] as const,
    ]);
    for (const [place, bytes] of places) {
      for (const secret of secrets) {
        for (const spelling of encodingsOf(secret)) {
          assert.ok(!bytes.includes(spelling), `${place} contains ${spelling} of ${secret}`);
        }
      }
      for (const spelling of keyEncodings(key))
        assert.ok(!bytes.includes(spelling), `${place} contains the key itself`);
    }
    assert.ok(lines.length > 0 && places.size > 3, "there must be places to search");
  });
});
