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
import { hastyClock } from "#test/clock";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createPerson, createSyncedServer } from "#test/factories";
import { type Service, startService } from "#test/start-service";
import { startRawUpstream } from "#test/upstreams/raw";

const CANARIES = {
  // With characters that JSON and addresses would write otherwise.
  clientSecret: 'canary-client/secret+7Qx2 "\\ é&=',
  credentialsSecret: 'canary-credentials/secret+9Lm4 "\\ é&=',
  userKey: 'canary-user/key+3Wn8 "\\ &=',
  refusedKey: 'canary-refused/key+5Zt1 "\\ &=',
  wrongToken: "gh_at_canaryWrongTok_0123456789012345678901234567890123456789012abcdef",
  wrongKey: "gh_ak_01234567890123456789:gh_sk_0123456789012345678901234567890123456789012abcdef",
};

/** A secret as it stands, and as careless code would write it. */
function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // Three alignments: within a longer text, base64 of a part looks different by where it begins.
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

function keySpellings(key: string): Buffer[] {
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

/** All that gives a secret into our hands or takes one out of them; answers the secrets that we made. */
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
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo__echo", arguments: {} } };
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

/** A user's key that is taken, used and refused later, and one that is refused at once, by a server that repeats it. */
async function useKeys(service: Service, email: string, credential: string): Promise<void> {
  let isTaken = true;
  const upstream = await startRawUpstream({
    behave: ({ headers }) => {
      const key = String(headers.authorization);
      if (isTaken && key.endsWith(CANARIES.userKey)) return "json";
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
  isTaken = false;
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

/** As an operator does it beside the service, a minute after the new keys were made. */
async function rotateDataKeys({ databases: { main: db } }: TestDatabase, key: Buffer, logger: Logger): Promise<void> {
  const clock = hastyClock(Date.now());
  const context = { db, clock, newId: createIds(clock, systemRandom) };
  const tell = (line: string) => logger.info(line);
  const { moved } = await rotateKeys(context, [wrappingKey(key)], logger, { dataKeys: true, tell });
  assert.ok(moved > 0);
}

forEachDatabase("what lies on the disk (SEC-2)", (open) => {
  it("holds no secret in any spelling, neither in the files and tables nor in the log", async () => {
    const database = await open();
    const lines: string[] = [];
    const logger = createLogger("trace", { write: (line) => void lines.push(line) });
    const service = await startService(database, { logger });
    const made = await useSecrets(service);
    const key = readFileSync(join(database.dataDir, "gatehouse.key"), "utf8").trim();
    await rotateDataKeys(database, Buffer.from(key, "base64"), logger);
    const secrets = [...made, ...Object.values(CANARIES), service.token];
    const whileRunning = await everythingStored(database);
    await service.close();
    const places = new Map([
      ...[...whileRunning].map(([name, bytes]) => [`${name} (running)`, bytes] as const),
      ...(await everythingStored(database)),
      ["the log", Buffer.from(lines.join(""))] as const,
    ]);
    for (const [place, bytes] of places) {
      for (const secret of secrets) {
        for (const spelling of spellings(secret)) {
          assert.ok(!bytes.includes(spelling), `${place} holds ${spelling} of ${secret}`);
        }
      }
      for (const spelling of keySpellings(key)) assert.ok(!bytes.includes(spelling), `${place} holds the key itself`);
    }
    assert.ok(lines.length > 0 && places.size > 3, "there was something to look through");
  });
});
