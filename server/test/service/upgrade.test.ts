/** A later release starts with the data of an earlier one, on both databases (decision 0156, docs/guide/upgrading.md). */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import { sql } from "kysely";
import pg from "pg";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { readKeyFile } from "#storage/key-file";
import { openDatabases } from "#storage/open-databases";
import { openVault } from "#storage/open-vault";
import { SEALED_COLUMNS } from "#storage/sealed-columns";
import { readSchema } from "../database-schema.ts";
import { createPostgresDatabase, makeDataDir, openTestPostgres, openTestSqlite } from "../databases.ts";
import { GATEHOUSE } from "../gatehouse-command.ts";
import { spawnService } from "../long/service-process.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const RELEASES = fileURLToPath(new URL("../fixtures/releases/", import.meta.url));

interface Place {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
  readonly environment: Readonly<Record<string, string>>;
}

/** Of facts.json. */
interface Facts {
  readonly apiToken: string;
  readonly callerKey: string;
  readonly server: string;
  readonly calls: number;
  /** By kind of the configuration. */
  readonly counts: Readonly<Record<string, number>>;
}

/** What a release leaves, and how it gets to a database. */
const FORMS = [
  { form: "backup", dialect: "sqlite", install: restore },
  { form: "backup", dialect: "postgres", install: restore },
  { form: "sqlite", dialect: "sqlite", install: copyFiles },
  { form: "postgres", dialect: "postgres", install: loadDump },
] as const;

for (const release of readdirSync(RELEASES)) {
  describe(`data of release ${release}`, () => {
    for (const { form, dialect, install } of FORMS) {
      const source = form === "backup" ? "a backup" : "its files";
      it(`serves callers, with its configuration, log and audit chain, from ${source} (${dialect})`, async () => {
        const dataDir = await makeDataDir();
        const database = dialect === "postgres" ? await createPostgresDatabase() : undefined;
        const environment = {
          ...{ DATA_DIR: dataDir, GATEHOUSE_KEY_FILE: join(dataDir, "gatehouse.key"), EGRESS_ALLOW: "127.0.0.0/8" },
          ...(database && { DATABASE_URL: database.databaseUrl }),
        };
        const place = { dataDir, databaseUrl: database?.databaseUrl, environment };
        try {
          const folder = join(RELEASES, release, form);
          const facts = JSON.parse(readFileSync(join(folder, "facts.json"), "utf8"));
          await install(folder, place);
          await checkService(facts, environment);
          await gatehouse(environment, "audit", "verify");
          await checkSchema(place);
          await checkSealedValues(facts, place);
        } finally {
          await database?.drop();
          await rm(dataDir, { recursive: true, force: true });
        }
      });
    }
  });
}

/** Creates the tables of that release with the migrations of this one, fills them, and applies the others. */
async function restore(folder: string, { environment }: Place): Promise<void> {
  await gatehouse(environment, "restore", join(folder, "backup.ghb"));
}

/** The data folder as the release left it when it was killed, with its tables, write-ahead log and spool. */
async function copyFiles(folder: string, { dataDir }: Place): Promise<void> {
  const files = join(folder, "files");
  for (const name of readdirSync(files, { recursive: true, encoding: "utf8" })) {
    if (!name.endsWith(".gz")) continue;
    const path = join(dataDir, name.slice(0, -".gz".length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, gunzipSync(readFileSync(join(files, name))), { mode: 0o600 });
  }
}

async function loadDump(folder: string, place: Place): Promise<void> {
  await copyFiles(folder, place);
  const dump = gunzipSync(readFileSync(join(folder, "dump.sql.gz"))).toString();
  const client = new pg.Client({ connectionString: place.databaseUrl });
  await client.connect();
  // Lines that begin with a backslash are commands of psql.
  await client.query(dump.replaceAll(/^\\.*$/gm, ""));
  await client.end();
}

async function gatehouse(environment: Readonly<Record<string, string>>, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [...GATEHOUSE, ...args], {
    env: { PATH: process.env.PATH, ...environment },
  });
}

async function checkService(facts: Facts, environment: Readonly<Record<string, string>>): Promise<void> {
  const upstream = await startRawUpstream();
  const starting = spawnService({ token: facts.apiToken, environment });
  try {
    const service = await starting.ready;
    const moved = { upstream: { type: "http", url: upstream.url } };
    assert.equal((await service.api("PATCH", `/api/mcp-servers?slug=${facts.server}`, moved)).status, 200);
    const params = { name: `${facts.server}__echo`, arguments: { after: "upgrade" } };
    const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params };
    const answer = await service.mcp(facts.callerKey, call, { accept: "application/json, text/event-stream" });
    assert.match(answer.text, /upgrade/);
    const { config } = (await service.api("GET", "/api/config")).body.data;
    // Later releases have further kinds.
    const counts = Object.keys(facts.counts).map((kind) => [kind, config[kind].length]);
    assert.deepEqual(Object.fromEntries(counts), facts.counts);
    const logged = async () => (await service.api("GET", "/api/logs?limit=100")).body.data.length;
    // The calls of the release, some of which are still in the spool, and the one above.
    while ((await logged()) < facts.calls + 1) await sleep(50);
    assert.equal(await logged(), facts.calls + 1);
    assert.equal((await service.api("GET", "/api/audit/verify")).body.data.ok, true);
    await service.close();
  } finally {
    await starting.kill();
    await upstream.close();
  }
}

/** The tables are those of a new installation. */
async function checkSchema({ dataDir, databaseUrl }: Place): Promise<void> {
  const fresh = await (databaseUrl === undefined ? openTestSqlite() : openTestPostgres());
  const [expected, upgraded] = [await readSchema(fresh), await readSchema({ dataDir, databaseUrl })];
  await fresh.close();
  assert.ok(expected.length > 500, `${expected.length} columns and indexes`);
  assert.deepEqual(upgraded, expected);
}

/** The key file still opens all secrets, among them the one of the caller. */
async function checkSealedValues({ callerKey }: Facts, { dataDir, databaseUrl }: Place): Promise<void> {
  const logger = createLogger("silent");
  const databases = await openDatabases({ dataDir, databaseUrl, logger });
  const keys = [readKeyFile(join(dataDir, "gatehouse.key"))];
  const vault = await openVault(databases.main, keys, { clock: systemClock, logger });
  const opened: string[] = [];
  for (const { purpose, table, column } of SEALED_COLUMNS) {
    const value = sql.ref<string>(column);
    const rows = await databases.main
      .selectFrom(table)
      .select(["id", value.as("sealed")])
      .where(value, "is not", null)
      .execute();
    for (const { id, sealed } of rows) opened.push(vault.open(purpose, { table, row: id, column }, sealed));
  }
  await databases.close();
  assert.ok(opened.includes(callerKey.split(":")[1] ?? ""));
  assert.ok(opened.length > 5, `${opened.length} sealed values`);
}
