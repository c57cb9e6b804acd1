import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "node:test";
import { sql } from "kysely";
import { createLogger } from "#lib/logger";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createPerson, createSyncedServer } from "#test/factories";
import { type Service, startService } from "#test/start-service";
import { startRawUpstream } from "#test/upstreams/raw";

const CANARIES = {
  clientSecret: "canary-client-secret-7Qx2",
  credentialsSecret: "canary-credentials-secret-9Lm4",
  wrongToken: "gh_at_canaryWrongTok_0123456789012345678901234567890123456789012abcdef",
  wrongKey: "gh_ak_01234567890123456789:gh_sk_0123456789012345678901234567890123456789012abcdef",
};

/** A secret as it stands, and as careless code would write it. */
function spellings(secret: string): Buffer[] {
  const bytes = Buffer.from(secret);
  // Three alignments: within a longer text, base64 of a part looks different by where it begins.
  const base64 = [0, 1, 2].map((skip) => bytes.subarray(skip).toString("base64").slice(0, -4));
  return [secret, ...base64, bytes.toString("base64url").slice(0, -4), bytes.toString("hex")].map((text) =>
    Buffer.from(text),
  );
}

async function everythingStored({ databases, dataDir, dialect }: TestDatabase): Promise<Map<string, Buffer>> {
  const stored = new Map<string, Buffer>();
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile() && entry.name !== "admin-token") stored.set(path, readFileSync(path));
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

forEachDatabase("what lies on the disk (SEC-2)", (open) => {
  it("holds no secret in any spelling, neither in the files and tables nor in the log", async () => {
    const database = await open();
    const lines: string[] = [];
    const service = await startService(database, {
      logger: createLogger("trace", { write: (line) => void lines.push(line) }),
    });
    const made = await useSecrets(service);
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
    }
    assert.ok(lines.length > 0 && places.size > 3, "there was something to look through");
  });
});
