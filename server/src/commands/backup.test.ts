import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { gunzipSync, gzipSync } from "node:zlib";
import { sql } from "kysely";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { verifyChain } from "#records/audit";
import { restoreBackup, verifyBackup } from "#storage/backup/restore-backup";
import { readTables } from "#storage/backup/schema";
import { writeBackup } from "#storage/backup/write-backup";
import { readKeyFile } from "#storage/key-file";
import { openDatabases } from "#storage/open-databases";
import { openVault } from "#storage/open-vault";
import { createPostgresDatabase, forEachDatabase, makeDataDir, type TestDatabase } from "#test/databases";
import { createGroup } from "#test/factories";
import { GATEHOUSE } from "#test/gatehouse-command";
import { type Service, startService } from "#test/start-service";

const logger = createLogger("silent");
/** Other tests use all processors, and most of these backups do not wait for them. */
const URGENT = "--urgent";

interface Target {
  readonly dataDir: string;
  readonly databaseUrl: string | undefined;
}

/** How many rows of `log_names` scans have read. Only Postgres counts them. */
async function rowsRead({ dialect, databases }: TestDatabase): Promise<number> {
  if (dialect === "sqlite") return 0;
  const read = sql<{ n: number }>`select seq_tup_read as n from pg_stat_user_tables where relname = 'log_names'`;
  return Number((await read.execute(databases.calls)).rows[0]?.n);
}

forEachDatabase("gatehouse backup and restore", (open) => {
  const ended: (() => Promise<void>)[] = [];
  after(async () => {
    for (const end of ended) await end();
  });

  const run = (args: string[], { dataDir, databaseUrl }: Target) =>
    new Promise<{ code: number | null; stderr: string }>((resolve) => {
      const key = { GATEHOUSE_KEY_FILE: join(dataDir, "gatehouse.key") };
      const postgres = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
      const env = { PATH: process.env.PATH, DATA_DIR: dataDir, LOG_LEVEL: "error", ...key, ...postgres };
      const child = execFile(process.execPath, [...GATEHOUSE, ...args], { env }, (_error, _stdout, stderr) =>
        resolve({ code: child.exitCode, stderr }),
      );
    });

  const newTarget = async (dialect: TestDatabase["dialect"]): Promise<Target> => {
    const dataDir = await makeDataDir();
    ended.push(async () => rmSync(dataDir, { recursive: true, force: true }));
    if (dialect === "sqlite") return { dataDir, databaseUrl: undefined };
    const { databaseUrl, drop } = await createPostgresDatabase();
    ended.push(drop);
    return { dataDir, databaseUrl };
  };

  /** Every row of every table as text, without leases. */
  const contentOf = async ({ dataDir, databaseUrl }: Target): Promise<Map<string, string[]>> => {
    const databases = await openDatabases({ dataDir, databaseUrl, logger });
    try {
      return await databases.readSnapshot(async (sources) => {
        const content = new Map<string, string[]>();
        for (const db of sources) {
          for (const { name, columns } of await readTables(db)) {
            if (name === "leases") continue;
            const texts = columns.map((column) =>
              column.kind === "json" ? sql`cast(${sql.ref(column.name)} as text)` : sql.ref(column.name),
            );
            const named = sql.join(texts.map((text, index) => sql`${text} as ${sql.ref(`c${index}`)}`));
            const { rows } = await sql<object>`select ${named} from ${sql.table(name)}`.execute(db);
            content.set(name, rows.map((row) => JSON.stringify(row, bytesAsText)).sort());
          }
        }
        return content;
      });
    } finally {
      await databases.close();
    }
  };

  const fill = async (service: Service) => {
    for (let n = 0; n < 5; n++) await createGroup(service, `Group ${n} ü"`);
    const skill = { name: "notes", description: "Notes", content: "# Notes\n" };
    assert.equal((await service.api("POST", "/api/skills", skill)).status, 201);
    await service.api("PATCH", "/api/settings", { call_log_retention_days: 45 });
  };

  it("restores the same rows into either database", async () => {
    const database = await open();
    const service = await startService(database);
    await fill(service);
    await service.close();
    const file = join(database.dataDir, "one.backup");
    const made = await run(["backup", file], database);
    assert.equal(made.code, 0, made.stderr);
    assert.match(made.stderr, /^groups: 5 rows$/m);
    assert.match(made.stderr, /does not contain the key file/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(
      readdirSync(database.dataDir).filter((name) => name.endsWith(".partial")),
      [],
    );
    const wanted = await contentOf(database);
    for (const dialect of ["sqlite", "postgres"] as const) {
      const target = await newTarget(dialect);
      const refused = await run(["restore", file], target);
      const { id } = readKeyFile(join(database.dataDir, "gatehouse.key"));
      assert.match(refused.stderr, new RegExp(`^gatehouse: The backup needs the key file ${id}\\. Copy it to `, "m"));
      assert.equal(refused.code, 78);
      copyFileSync(join(database.dataDir, "gatehouse.key"), join(target.dataDir, "gatehouse.key"));
      const restored = await run(["restore", file], target);
      assert.equal(restored.code, 0, restored.stderr);
      assert.match(restored.stderr, /The audit log is valid up to entry \d+\.$/m);
      assert.deepEqual(await contentOf(target), wanted);
      const again = await run(["restore", file], target);
      assert.deepEqual([again.code, /is not empty/.test(again.stderr)], [1, true]);
    }
    assert.equal((await run(["backup", file], database)).code, 64);
    assert.equal((await run(["backup"], database)).code, 64);
  });

  it("copies a table of many slices, and reads each row once", async () => {
    const database = await open();
    await (await startService(database)).close();
    const { calls } = database.databases;
    const names = Array.from({ length: 1_700 }, (_, n) => ({ id: 1_000_000 + n, value: `name ${n}` }));
    await calls.insertInto("log_names").values(names).execute();
    const before = await rowsRead(database);
    const file = join(database.dataDir, "many.backup");
    const made = await run(["backup", file, URGENT], database);
    assert.equal(made.code, 0, made.stderr);
    const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
    const copied = lines.filter((line) => /^\[1\d{6},"name \d+"\]$/.test(line)).sort();
    assert.deepEqual(copied, names.map(({ id, value }) => JSON.stringify([id, value])).sort());
    if (database.dialect === "sqlite") return;
    // A connection of Postgres reports its counts when it ends, those of the service possibly after the first reading.
    while ((await rowsRead(database)) - before < names.length) await setTimeout(20);
    const rows = Number(/^log_names: (\d+) rows$/m.exec(made.stderr)?.[1]);
    assert.ok((await rowsRead(database)) - before < 2 * rows);
  });

  it("copies one state while writes run, and restores the key on request", async () => {
    const database = await open();
    const service = await startService(database);
    const file = join(database.dataDir, "busy.backup");
    let isDone = false;
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let n = 0; !isDone; n++) await createGroup(service, `Writer ${writer} ${n}`);
    });
    const made = await run(["backup", file, "--with-key", URGENT], database);
    isDone = true;
    await Promise.all(writers);
    await service.close();
    assert.equal(made.code, 0, made.stderr);
    const target = await newTarget("sqlite");
    const restored = await run(["restore", file], target);
    assert.equal(restored.code, 0, restored.stderr);
    assert.ok(existsSync(join(target.dataDir, "gatehouse.key")));
    const databases = await openDatabases({ ...target, logger });
    const vault = await openVault(databases.main, [readKeyFile(join(target.dataDir, "gatehouse.key"))], {
      clock: systemClock,
      logger,
    });
    // Each group has its audit entry and its change in the same transaction, so their numbers agree in every state.
    const { last, problem } = await verifyChain(databases.main, vault);
    const groups = await databases.main.selectFrom("groups").select("id").execute();
    const created = await databases.main
      .selectFrom("audit")
      .select("id")
      .where("operation", "=", "createGroup")
      .execute();
    await databases.close();
    assert.deepEqual([problem, created.length], [null, groups.length]);
    assert.ok(groups.length > 0 && last.seq >= groups.length);
  });

  it("leaves nothing behind when it is interrupted", async () => {
    const database = await open();
    const service = await startService(database);
    await fill(service);
    await service.close();
    const options = { version: "0.0.0", now: 0, clock: systemClock };
    const interrupting = () => {
      const controller = new AbortController();
      return { signal: controller.signal, report: () => controller.abort(new Error("interrupted")) };
    };
    const path = join(database.dataDir, "interrupted.backup");
    await assert.rejects(writeBackup(database.databases, { ...options, path, ...interrupting() }), /interrupted/);
    assert.equal(existsSync(path), false);
    assert.equal((await run(["backup", path, "--with-key", URGENT], database)).code, 0);
    const target = await newTarget("sqlite");
    const databases = await openDatabases({ ...target, logger });
    const manifest = await verifyBackup(path);
    await assert.rejects(restoreBackup(databases, path, manifest, { ...options, ...interrupting() }), /interrupted/);
    const groups = await databases.main.selectFrom("groups").selectAll().execute();
    await databases.close();
    assert.deepEqual(groups, []);
  });

  it("refuses a folder that does not exist, and a file that another backup writes", async () => {
    const database = await open();
    await (await startService(database)).close();
    const missing = join(database.dataDir, "no-such", "x.backup");
    const refused = await run(["backup", missing, URGENT], database);
    assert.deepEqual([refused.code, refused.stderr.includes("no-such does not exist. Create it first\n")], [64, true]);
    const file = join(database.dataDir, "x.backup");
    writeFileSync(`${file}.partial`, "of another backup");
    const second = await run(["backup", file, URGENT], database);
    assert.deepEqual([second.code, second.stderr.includes("x.backup.partial exists.")], [64, true]);
    const [path, signal] = [`${file}.partial`, new AbortController().signal];
    const attempt = writeBackup(database.databases, { path, version: "0.0.0", now: 0, report: () => {}, signal });
    await assert.rejects(attempt, /EEXIST/);
    assert.equal(readFileSync(`${file}.partial`, "utf8"), "of another backup");
  });

  it("refuses a damaged, truncated or foreign file, and leaves the target empty", async () => {
    const database = await open();
    const service = await startService(database);
    await fill(service);
    await service.close();
    const file = join(database.dataDir, "whole.backup");
    assert.equal((await run(["backup", file, "--with-key", URGENT], database)).code, 0);
    const lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n");
    const [manifest = "", ...rest] = lines;
    const cases: [RegExp, string | Buffer][] = [
      [/is damaged/, gzipSync(lines.join("\n").replace("Group 3", "Group X"))],
      [/is incomplete/, gzipSync(lines.slice(0, -3).join("\n"))],
      [/is incomplete/, readFileSync(file).subarray(0, 500)],
      [/is not a backup/, "hello"],
      [/is not a backup/, gzipSync("hello")],
      // The stream fails after a line that cannot be parsed.
      [/is damaged/, changedByte(readFileSync(file))],
      [/is damaged/, gzipSync([manifest.replace(/"seq":\d+/, '"seq":9999'), ...rest].join("\n"))],
    ];
    for (const [message, content] of cases) {
      const target = await newTarget("sqlite");
      const bad = join(target.dataDir, "bad.backup");
      writeFileSync(bad, content);
      const refused = await run(["restore", bad], target);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, message);
      assert.match(refused.stderr, /^Verifying .*\ngatehouse: .*\. Copy it again, or use another backup\.\n$/);
      assert.equal(existsSync(join(target.dataDir, "gatehouse.db")), false);
    }
  });
});

function changedByte(bytes: Buffer): Buffer {
  const changed = Buffer.from(bytes);
  const middle = Math.floor(bytes.length / 2);
  changed[middle] = (changed[middle] ?? 0) ^ 0xff;
  return changed;
}

function bytesAsText(_name: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : value;
}
