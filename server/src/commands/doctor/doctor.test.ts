import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { sql } from "kysely";
import { readConfig } from "#config/config";
import { systemClock } from "#lib/clock";
import { noteMailServerFails, setEmailEnabled } from "#records/emails";
import { MigrationConflict, migrate } from "#storage/migrate";
import { forEachDatabase } from "#test/databases";
import { createPerson } from "#test/factories";
import { GATEHOUSE } from "#test/gatehouse-command";
import { startMailServer } from "#test/mail-server";
import { startService } from "#test/start-service";
import { examine } from "./doctor.ts";
import { collect } from "./finding.ts";

/** A port on which nothing listens. */
const NOTHING = "1";
const PROVIDER = { AGENT_PROVIDER: "openai", AGENT_MODEL: "gpt-5" };
const QUIET = { REGISTRY_SYNC: "off", LOG_LEVEL: "error" };

describe("gatehouse doctor", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "gatehouse-doctor-"));
  });
  after(() => rmSync(folder, { recursive: true }));

  const run = (args: string[], settings: Record<string, string> = {}) =>
    new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const env = { PATH: process.env.PATH, PORT: NOTHING, DATA_DIR: join(folder, "data"), ...QUIET, ...settings };
      const child = execFile(
        process.execPath,
        [...GATEHOUSE, ...args],
        { cwd: folder, env },
        (_error, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
    });

  it("changes nothing before the first start, and exits with 0", async () => {
    const { code, stdout, stderr } = await run(["doctor"]);
    assert.deepEqual([code, stderr], [0, ""]);
    assert.match(stdout, /^ok {7}Database +No database yet\. The first start creates it\.$/m);
    assert.match(stdout, /^warning {2}Service +No service responds at http:\/\/127\.0\.0\.1:1\/readyz/m);
    assert.match(stdout, /\n +→ Start it with: gatehouse serve\n/);
    assert.match(stdout, /\n\d+ checks, 0 errors, \d warnings?\n$/);
    assert.equal(existsSync(join(folder, "data")), false);
  });

  it("reports a file of local servers and a folder for logs that cannot be used", async () => {
    const file = join(folder, "local.json");
    const findings = async () => {
      const settings = { LOCAL_SERVERS_FILE: file, LOG_FILES_DIR: join(folder, "logs"), ...QUIET };
      const config = readConfig({ PORT: NOTHING, DATA_DIR: join(folder, "data"), ...settings });
      const all = await collect(examine(config));
      return all.filter(({ check }) => ["Local servers", "Log folder"].includes(check));
    };
    const statuses = async () => (await findings()).map(({ status }) => status);
    assert.deepEqual(await statuses(), ["error", "error"]);
    writeFileSync(file, "no JSON");
    writeFileSync(join(folder, "logs"), "");
    const [servers, logs] = await findings();
    assert.match(servers?.message ?? "", /^LOCAL_SERVERS_FILE: .*local\.json is not valid JSON\.$/);
    assert.match(logs?.message ?? "", /logs is not a folder\.$/);
    writeFileSync(file, '{"mcpServers":{}}');
    rmSync(join(folder, "logs"));
    mkdirSync(join(folder, "logs"));
    assert.deepEqual(await statuses(), ["ok", "ok"]);
  });

  it("prints JSON with --json, and rejects other options", async () => {
    const { findings } = JSON.parse((await run(["doctor", "--json"])).stdout);
    assert.ok(findings.length > 8);
    for (const finding of findings) {
      assert.deepEqual(Object.keys(finding), ["check", "status", "message", "advice"]);
      assert.equal(finding.advice === null, finding.status === "ok", finding.check);
    }
    assert.equal((await run(["doctor", "--fix"])).code, 64);
  });

  it("reports a data folder that it cannot read, and not that there is no database", async () => {
    const loop = join(folder, "loop");
    symlinkSync(loop, loop);
    const { code, stdout, stderr } = await run(["doctor"], { DATA_DIR: loop });
    assert.deepEqual([code, stderr], [1, ""]);
    assert.match(stdout, /^error {4}Data folder +.*loop cannot be used: ELOOP/m);
    assert.match(stdout, /^error {4}Database +The database cannot be opened: ELOOP/m);
  });

  it("ends with 78 for invalid settings, as serve does", async () => {
    assert.equal((await run(["doctor"], { BASE_URL: "no-url" })).code, 78);
  });

  it("reports an invalid key file as an error, and files that others can read as warnings", async () => {
    const data = join(folder, "open");
    mkdirSync(data, { mode: 0o755 });
    chmodSync(data, 0o755);
    writeFileSync(join(data, "gatehouse.key"), "too short", { mode: 0o600 });
    const { code, stdout } = await run(["doctor"], { DATA_DIR: data });
    assert.equal(code, 1);
    assert.match(stdout, /^error {4}Key file +.*must hold 32 bytes/m);
    assert.match(stdout, /^warning {2}Data folder +Other users of this machine can open/m);
    assert.match(stdout, /→ Run: chmod 700 /);
  });
});

describe("the checks of settings by doctor", () => {
  const find = async (settings: Record<string, string>, check: string) => {
    const dataDir = mkdtempSync(join(tmpdir(), "gatehouse-doctor-"));
    try {
      const config = readConfig({ PORT: NOTHING, DATA_DIR: dataDir, ...QUIET, ...settings });
      const finding = (await collect(examine(config))).find((each) => each.check === check);
      return [finding?.status, `${finding?.message} ${finding?.advice}`] as const;
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  };
  it("accepts a key file of another user that is readable through its group, as a secret of Kubernetes is", async (t) => {
    // Only root can give files to other users.
    if (process.getuid?.() !== 0) return;
    const path = join(mkdtempSync(join(tmpdir(), "gatehouse-doctor-")), "gatehouse.key");
    t.after(() => rmSync(dirname(path), { recursive: true }));
    writeFileSync(path, randomBytes(32).toString("base64"));
    chownSync(path, 1000, 1000);
    chmodSync(path, 0o440);
    assert.equal((await find({ GATEHOUSE_KEY_FILE: path }, "Key file"))[0], "ok");
    chmodSync(path, 0o444);
    assert.equal((await find({ GATEHOUSE_KEY_FILE: path }, "Key file"))[0], "warning");
  });
  const cases: [check: string, settings: Record<string, string>, status: string, text: RegExp][] = [
    ["Proxy", { BASE_URL: "https://127.0.0.1:1" }, "warning", /Set TRUSTED_PROXIES/],
    ["Proxy", { BASE_URL: "https://127.0.0.1:1", TRUSTED_PROXIES: "10.0.0.7" }, "ok", /10\.0\.0\.7/],
    ["Proxy", { BASE_URL: "http://gate.example.com" }, "warning", /BASE_URL is public\..*Set TRUSTED_PROXIES/],
    ["Proxy", { BASE_URL: "http://1.1.1.1:8080" }, "warning", /BASE_URL is public/],
    ["Proxy", { BASE_URL: "http://gate.example.com", TRUSTED_PROXIES: "10.0.0.7" }, "ok", /could not be asked/],
    ["Proxy", { BASE_URL: "http://10.0.0.8:8080" }, "ok", /No proxy is trusted/],
    ["Proxy", { BASE_URL: "http://[fd00::8]:8080" }, "ok", /No proxy is trusted/],
    ["Proxy", { BASE_URL: "http://gatehouse:8080" }, "ok", /No proxy is trusted/],
    ["Proxy", { BASE_URL: "http://localhost:8080" }, "ok", /No proxy is trusted/],
    ["URLs", { BASE_URL: "http://192.0.2.1" }, "warning", /is not HTTPS/],
    ["Egress", { BASE_URL: "http://192.0.2.1", EGRESS_ALLOW: "127.0.0.0/8" }, "warning", /Remove 127/],
    ["Egress", { BASE_URL: "http://192.0.2.1" }, "ok", /not allowed/],
    ["Egress", {}, "ok", /may be on this machine/],
    ["Public URL", {}, "warning", /cannot be reached from here/],
    ["Registry", { REGISTRY_SYNC: "on", REGISTRY_URL: "http://127.0.0.1:1" }, "warning", /REGISTRY_SYNC=off/],
    ["Mail server", {}, "ok", /SMTP_HOST is not set/],
    [
      "Mail server",
      { SMTP_HOST: "127.0.0.1", SMTP_PORT: "1", SMTP_FROM: "gatehouse@example.com" },
      "error",
      /127\.0\.0\.1:1 cannot be reached.*Check the settings SMTP_HOST/,
    ],
    ["Agent provider", {}, "ok", /AGENT_PROVIDER is not set/],
    ["Agent provider", PROVIDER, "warning", /openai has no API key.*Set AGENT_API_KEY/],
    ["Agent provider", { ...PROVIDER, AGENT_API_KEY: "key" }, "ok", /openai with the model gpt-5/],
    [
      "Agent provider",
      { ...PROVIDER, AGENT_BASE_URL: "http://10.0.0.7/v1", BASE_URL: "http://192.0.2.1" },
      "error",
      /AGENT_BASE_URL is refused: .*Add its address to EGRESS_ALLOW/,
    ],
    [
      "Agent provider",
      { ...PROVIDER, AGENT_BASE_URL: "http://10.0.0.7/v1", EGRESS_ALLOW: "10.0.0.0/8" },
      "ok",
      /openai with the model gpt-5/,
    ],
  ];
  for (const [check, settings, status, text] of cases) {
    it(`${check} is ${status} with ${JSON.stringify(settings)}`, async () => {
      const [found, words] = await find(settings, check);
      assert.equal(found, status);
      assert.match(words, text);
    });
  }
});

forEachDatabase("the checks of an installation by doctor", (open) => {
  it("sign in at the mail server without sending, and report emails that wait for more than an hour", async () => {
    const database = await open();
    const mail = await startMailServer();
    const service = await startService(database);
    try {
      const { main } = database.databases;
      await createPerson(service, "Ada", "ada@example.com");
      await setEmailEnabled(main, true);
      await service.api("POST", "/api/users/invite?email=ada@example.com");
      const settings = {
        ...{
          PORT: NOTHING,
          DATA_DIR: database.dataDir,
          SMTP_FROM: "gatehouse@example.com",
          SMTP_TLS: "none",
          ...QUIET,
        },
        ...{ SMTP_HOST: "127.0.0.1", SMTP_PORT: String(mail.port) },
        GATEHOUSE_KEY_FILE: join(database.dataDir, "gatehouse.key"),
        ...(database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl }),
      };
      const statuses = async () => {
        const findings = await collect(examine(readConfig(settings)));
        const found = findings.filter(({ check }) => check === "Emails" || check === "Mail server");
        return found.map(({ check, status, message }) => `${check} ${status} ${message}`);
      };
      const reached = `Mail server ok 127.0.0.1:${mail.port} accepts emails of this installation.`;
      const none = "Emails ok No email has waited for the mail server for more than an hour.";
      assert.deepEqual(await statuses(), [none, reached]);
      await noteMailServerFails(main, 1, "It is away");
      await main.updateTable("emails").set({ at: 1 }).execute();
      const waiting = "Emails warning Emails that wait for the mail server: 1. The last error: It is away";
      assert.deepEqual(await statuses(), [waiting, reached]);
      assert.equal(mail.received.length, 0);
    } finally {
      await service.close();
      await mail.close();
    }
  });

  it("pass for a running service, and report failed syncs and missing migrations", async () => {
    const database = await open();
    const service = await startService(database);
    try {
      const { port } = new URL(service.url);
      const settings = { PORT: port, DATA_DIR: database.dataDir, GATEHOUSE_BOOTSTRAP_TOKEN: service.token, ...QUIET };
      const postgres = database.databaseUrl === undefined ? {} : { DATABASE_URL: database.databaseUrl };
      const key = { GATEHOUSE_KEY_FILE: join(database.dataDir, "gatehouse.key") };
      const statuses = async () => {
        const findings = await collect(examine(readConfig({ ...settings, ...postgres, ...key })));
        return new Map(findings.map(({ check, status, message }) => [check, { status, message }]));
      };
      const healthy = await statuses();
      for (const check of [
        "Key file",
        "Database",
        "Migrations",
        "Encryption",
        "MCP servers",
        "Clock",
        "Service",
        "Warnings",
      ]) {
        assert.equal(healthy.get(check)?.status, "ok", `${check}: ${healthy.get(check)?.message}`);
      }
      // The service of the tests has another BASE_URL than its port.
      assert.equal(healthy.get("Public URL")?.status, "error");
      assert.match(
        healthy.get("Public URL")?.message ?? "",
        /an installation with BASE_URL http:\/\/127\.0\.0\.1:8080/,
      );
      await service.api("POST", "/api/mcp-servers", {
        name: "Broken",
        mcp_proxy: JSON.stringify({ type: "http", url: "http://127.0.0.1:1/mcp" }),
      });
      await service.api("POST", "/api/mcp-servers/broken/sync");
      const failing = await statuses();
      assert.match(failing.get("MCP servers")?.message ?? "", /failed: broken\.$/);
      assert.deepEqual(
        [failing.get("Audit log")?.status, failing.get("Webhooks")?.message],
        ["ok", "No event has waited for its receiver for more than an hour."],
      );
      const { main } = database.databases;
      const problem = { seq: 2, id: "aud_x", reason: "changed", message: "Entry 2 (aud_x) was changed." } as const;
      await main.updateTable("audit_verification").set({ problem }).execute();
      assert.deepEqual((await statuses()).get("Audit log"), { status: "error", message: problem.message });
      const { databases } = database;
      const conflicts: [migration: string, breaking: number, text: RegExp][] = [
        ["main/9999-future", 1, /^error The database belongs to a newer release \(main\/9999-future\)/],
        ["calls/0001-call-log", 0, /^error The migration calls\/0001-call-log of the database differs/],
      ];
      for (const [name, breaking, text] of conflicts) {
        const db = name.startsWith("main/") ? databases.main : databases.calls;
        const { rows } = await sql<{
          checksum: string;
        }>`select checksum from schema_migrations where name = ${name}`.execute(db);
        await sql`delete from schema_migrations where name = ${name}`.execute(db);
        await sql`insert into schema_migrations (name, applied_at, checksum, breaking) values (${name}, 0, 'other', ${breaking})`.execute(
          db,
        );
        const found = (await statuses()).get("Migrations");
        assert.match(`${found?.status} ${found?.message}`, text);
        await assert.rejects(migrate(databases, systemClock), MigrationConflict);
        await sql`delete from schema_migrations where name = ${name}`.execute(db);
        for (const { checksum } of rows) {
          await sql`insert into schema_migrations (name, applied_at, checksum, breaking) values (${name}, 0, ${checksum}, 0)`.execute(
            db,
          );
        }
      }
      await sql`delete from schema_migrations where name = 'main/0001-organization'`.execute(database.databases.main);
      assert.equal(
        (await statuses()).get("Migrations")?.message,
        "Migrations of this release that are not applied: 1.",
      );
    } finally {
      await service.close();
    }
  });
});
