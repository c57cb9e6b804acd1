import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, it } from "node:test";
import { sql } from "kysely";
import { type KeyStatus, readKeyStatus } from "#commands/key-status";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { createKeyFile, readKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { addDataKeys } from "#storage/rotate-keys";
import type { WrappingKey } from "#storage/wrapping-key";
import { advanceUntil, testClock } from "../clock.ts";
import { forEachDatabase, type TestDatabase } from "../databases.ts";
import { createGroup, createMachineUser, createServer, type MachineUser } from "../factories.ts";
import { type Service, type ServiceOptions, startService } from "../start-service.ts";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** Hash of all rows of all tables. */
async function checksum({ databases, dialect }: TestDatabase): Promise<string> {
  const hash = createHash("sha256");
  for (const db of dialect === "sqlite" ? [databases.main, databases.calls] : [databases.main]) {
    for (const { name } of await db.introspection.getTables()) {
      const { rows } = await sql`select * from ${sql.table(name)}`.execute(db);
      hash.update(
        `${name}\n${rows
          .map((row) => JSON.stringify(row))
          .sort()
          .join("\n")}\n`,
      );
    }
  }
  return hash.digest("hex");
}

forEachDatabase("starting with the wrong key (SEC-7)", (open) => {
  let database: TestDatabase;
  let bot: MachineUser;
  let token: string;
  const inDataDir = (name: string) => join(database.dataDir, name);
  const startWith = async (use: (service: Service) => Promise<void>, options: ServiceOptions = {}) => {
    const service = await startService(database, options);
    try {
      await use(service);
    } finally {
      await service.close();
    }
  };

  before(async () => {
    database = await open();
    await startWith(async (service) => {
      token = service.token;
      bot = await createMachineUser(service, "bot");
      await createServer(service, "Vaulted", undefined, {
        auth_settings: { authType: "proxy-oauth", clientId: "c", clientSecret: "s" },
      });
      await createGroup(service, "bots", { slugs: ["vaulted"], emails: [bot.email] });
    });
    writeFileSync(inDataDir("wrong.key"), randomBytes(32).toString("base64"));
  });
  after(() => database.close());

  it("reports why, serves nothing, and changes nothing", async () => {
    const before = await checksum(database);
    const lines: string[] = [];
    const logger = createLogger("warn", { write: (line) => void lines.push(line) });
    const config = { keyFile: inDataDir("wrong.key") };
    await startWith(
      async (service) => {
        const ready = await service.http("/readyz");
        assert.equal(ready.status, 503);
        assert.deepEqual(ready.body, { status: "not ready", reason: "the key file does not match the database" });
        assert.equal((await service.http("/livez")).status, 200);
        const headers = { authorization: `Bearer ${token}` };
        for (const path of ["/api/users", "/api/mcp-servers", "/openapi.json", "/", "/.well-known/x"]) {
          const answer = await service.http(path, { headers });
          assert.deepEqual([answer.status, answer.text], [503, '{"error":"Not ready"}'], path);
        }
        const body = JSON.stringify({ name: "late" });
        assert.equal((await service.http("/api/groups", { method: "POST", headers, body })).status, 503);
        assert.equal((await service.mcp(bot.credential, PING)).status, 503);
      },
      { config, logger },
    );
    assert.equal(await checksum(database), before);
    assert.equal(lines.length, 1, lines.join(""));
    assert.match(
      lines[0] ?? "",
      /is sealed with key [0-9a-f]{16}, but the key file holds [0-9a-f]{16}: set GATEHOUSE_KEY_FILE/,
    );
  });

  it("does not run migrations", async () => {
    const { calls } = database.databases;
    const counted = ["call_minutes", "call_spans", "call_hours", "call_days", "call_day_durations", "call_errors"];
    const others = ["guard_counts", "log_names", "spool_positions", "log_counters"];
    for (const table of ["call_payloads", "calls", ...counted, ...others]) {
      await sql`drop table ${sql.table(table)}`.execute(calls);
    }
    await sql`delete from schema_migrations where name like ${"calls/%"}`.execute(calls);
    const before = await checksum(database);
    const config = { keyFile: inDataDir("wrong.key") };
    await startWith(async (service) => assert.equal((await service.http("/readyz")).status, 503), { config });
    assert.equal(await checksum(database), before);
  });

  it("recovers with the right key", async () => {
    await startWith(async (service) => {
      assert.deepEqual((await service.http("/readyz")).body, { status: "ready" });
      assert.deepEqual((await service.mcp(bot.credential, PING)).body.result, {});
      const users = await service.http("/api/users", { headers: { authorization: `Bearer ${token}` } });
      assert.equal(users.status, 200);
    });
  });

  it("recovers when the right key is set as the previous key", async () => {
    const config = { keyFile: inDataDir("wrong.key"), previousKeyFile: inDataDir("gatehouse.key") };
    await startWith(async (service) => assert.equal((await service.mcp(bot.credential, PING)).status, 200), { config });
  });

  it("also happens when the previous key is removed while it still wraps data keys (SEC-5)", async () => {
    const before = await checksum(database);
    const lines: string[] = [];
    const logger = createLogger("error", { write: (line) => void lines.push(line) });
    await startWith(async (service) => assert.equal((await service.http("/readyz")).status, 503), {
      config: { keyFile: inDataDir("wrong.key"), previousKeyFile: undefined },
      logger,
    });
    assert.ok(lines.join("").includes(`sealed with key ${readKeyFile(inDataDir("gatehouse.key")).id}`), lines.join(""));
    assert.equal(await checksum(database), before);
  });

  it("also happens when the key in DATA_DIR is lost, and recovers when it is restored", async () => {
    const file = inDataDir("gatehouse.key");
    const key = readFileSync(file);
    rmSync(file);
    const before = await checksum(database);
    await startWith(async (service) => assert.equal((await service.http("/readyz")).status, 503), {
      config: { keyFile: undefined },
    });
    assert.equal(await checksum(database), before);
    assert.ok(existsSync(file));
    writeFileSync(file, key);
    await startWith(async (service) => assert.equal((await service.http("/readyz")).status, 200), {
      config: { keyFile: undefined },
    });
  });
});

forEachDatabase("service with a new key", (open) => {
  const clock = testClock();
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let token: string;
  let old: WrappingKey;
  let current: WrappingKey;

  before(async () => {
    database = await open();
    const [keyFile, previousKeyFile] = [join(database.dataDir, "new.key"), join(database.dataDir, "old.key")];
    [current, old] = [createKeyFile(keyFile), createKeyFile(previousKeyFile)];
    const first = await startService(database, { config: { keyFile: previousKeyFile } });
    token = first.token;
    bot = await createMachineUser(first, "bot");
    await first.close();
    service = await startService(database, { config: { keyFile, previousKeyFile }, clock });
  });
  after(() => service?.close());

  it("completes the rotation automatically, and reads new data keys before it uses them", async () => {
    const context = { db: database.databases.main, clock, newId: createIds(clock, systemRandom) };
    const operatorVault = await openVault(context.db, [current, old], { clock, logger: createLogger("silent") });
    await addDataKeys(context, [current, old], operatorVault);
    const until = (condition: (now: KeyStatus) => boolean) =>
      advanceUntil(clock, 10 * 60 * 1000, async () => condition(await readKeyStatus(context.db, [current, old])));
    await until((now) => now.previous_key_may_be_removed === true);
    await until(({ data_keys }) => data_keys.every(({ version, values }) => version === 2 || values === 0));
    assert.equal((await service.mcp(bot.credential, PING)).status, 200);
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = JSON.stringify({ name: "late", is_machine_user: true });
    const late = await service.http("/api/users", { method: "POST", headers, body });
    const { client_id, secret } = late.body.credentials;
    assert.equal((await service.mcp(`${client_id}:${secret}`, PING)).status, 200);
    const peppers = await context.db.selectFrom("credentials").select("pepper_version").execute();
    assert.deepEqual(peppers, [{ pepper_version: 2 }, { pepper_version: 2 }]);
  });
});

forEachDatabase("service", (open) => {
  let service: Service;
  before(async () => {
    service = await startService(await open());
  });
  after(() => service?.close());

  it("answers unknown and well-known paths with a JSON 404, never a page", async () => {
    for (const path of [
      "/.well-known/oauth-protected-resource/api",
      "/.well-known/oauth-authorization-server/mcp",
      "/.well-known/openid-configuration",
      "/nowhere",
    ]) {
      const answer = await service.http(path);
      assert.deepEqual([answer.status, answer.text], [404, '{"error":"Not found"}'], path);
      assert.match(String(answer.headers["content-type"]), /^application\/json/);
    }
  });

  it("returns a working logo URL for every server (D29)", async () => {
    const slug = await createServer(service, "Ünïcode");
    const { data } = (await service.api("GET", `/api/mcp-servers/${slug}`)).body;
    const logo = await service.http(new URL(data.logo_url).pathname);
    assert.deepEqual([logo.status, logo.headers["content-type"]], [200, "image/svg+xml"]);
  });

  it("serves catalog logos without authentication (D29)", async () => {
    const logo = await service.http("/logos/connectors/github.svg");
    assert.deepEqual([logo.status, logo.headers["content-type"]], [200, "image/svg+xml"]);
    assert.match(logo.text, /<path /);
  });
});

for (const [role, api, mcp] of [
  ["admin", 200, 404],
  ["gateway", 404, 401],
] as const) {
  forEachDatabase(`process with the role ${role}`, (open) => {
    it("serves only its part", async () => {
      const service = await startService(await open(), { config: { role } });
      assert.equal((await service.http("/readyz")).status, 200);
      assert.equal((await service.api("GET", "/api/users")).status, api);
      assert.equal((await service.http("/mcp", { method: "POST", body: "{}" })).status, mcp);
      await service.close();
    });
  });
}
