import assert from "node:assert/strict";
import { type ChildProcessByStdio, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { after, before, describe, it } from "node:test";
import { isDeepStrictEqual, promisify } from "node:util";
import { sql } from "kysely";
import { systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { restoreBackup, verifyBackup } from "#storage/backup/restore-backup";
import { asOnlyRestore } from "#storage/backup/restore-target";
import { readTables } from "#storage/backup/schema";
import { writeBackup } from "#storage/backup/write-backup";
import { openDatabases } from "#storage/open-databases";
import { hasUnfinishedRestore, markUnfinished } from "#storage/unfinished-restore";
import { auditLog } from "#test/audit-log";
import { testClock } from "#test/clock";
import { forEachDatabase, makeDataDir, openTestSqlite, type TestDatabase } from "#test/databases";
import { GATEHOUSE } from "#test/gatehouse-command";
import { startService } from "#test/start-service";

/** So many that each phase of a restore usually is still running when a signal arrives after its first line. */
const ROWS = 30_000;
const AUDIT_ENTRIES = 5_000;
/** On a busy machine, a signal can arrive after the phase. */
const ATTEMPTS = 5;
/** Only a safeguard: a service that starts although it must not would run forever. */
const TIMEOUT_MS = 120_000;

function environmentOf(dataDir: string, databaseUrl?: string) {
  const settings = { DATA_DIR: dataDir, LOG_LEVEL: "error", PORT: "0", REGISTRY_SYNC: "off" };
  return {
    PATH: process.env.PATH,
    ...settings,
    ...(databaseUrl === undefined
      ? {}
      : { DATABASE_URL: databaseUrl, GATEHOUSE_KEY_FILE: join(dataDir, "gatehouse.key") }),
  };
}

type Environment = ReturnType<typeof environmentOf>;

function runIn(env: Environment, ...args: string[]) {
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    const options = { env, timeout: TIMEOUT_MS };
    const child = execFile(process.execPath, [...GATEHOUSE, ...args], options, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

function run(dataDir: string, ...args: string[]) {
  return runIn(environmentOf(dataDir), ...args);
}

describe("a large backup and its restore", () => {
  let source: TestDatabase;
  let file: string;
  const folders: string[] = [];
  before(async () => {
    source = await openTestSqlite();
    await (await startService(source)).close();
    const { main, calls } = source.databases;
    const log = auditLog(main, testClock());
    for (let n = 0; n < AUDIT_ENTRIES / 1_000; n++) await log.write(n, 1_000);
    const numbers = sql`with recursive n (i) as (values (1000000) union all select i + 1 from n limit ${ROWS})`;
    await sql`insert into changes (revision, kind, target_id) ${numbers} select i, 'group', 'grp_' || i from n`.execute(
      main,
    );
    await sql`insert into log_names (id, value) ${numbers} select i, 'name ' || i from n`.execute(calls);
    file = join(source.dataDir, "large.backup");
    const made = await run(source.dataDir, "backup", file, "--with-key", "--urgent");
    assert.equal(made.code, 0, made.stderr);
  });
  after(async () => {
    await source.close();
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  const newTarget = async () => {
    const dataDir = await makeDataDir();
    folders.push(dataDir);
    return dataDir;
  };

  /** Restores, and sends the signal when a line matches. */
  const interrupt = async (dataDir: string, line: RegExp, signal: NodeJS.Signals) => {
    const child: ChildProcessByStdio<null, null, Readable> = spawn(process.execPath, [...GATEHOUSE, "restore", file], {
      env: environmentOf(dataDir),
      stdio: ["ignore", "ignore", "pipe"],
    });
    const lines: string[] = [];
    createInterface({ input: child.stderr }).on("line", (text) => {
      lines.push(text);
      if (line.test(text)) child.kill(signal);
    });
    const [code, endedBy] = await once(child, "close");
    return { code, endedBy, lines };
  };

  /** The number of rows in tables of each file. */
  const rowsOf = async (dataDir: string) => {
    const databases = await openDatabases({ dataDir, databaseUrl: undefined, logger: createLogger("silent") });
    try {
      const count = async (db: TestDatabase["databases"]["main" | "calls"], table: string) =>
        (await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(db)).rows[0]?.n;
      return [await count(databases.main, "changes"), await count(databases.calls, "log_names")];
    } finally {
      await databases.close();
    }
  };

  const assertRestorable = async (dataDir: string) => {
    const restored = await run(dataDir, "restore", file);
    assert.equal(restored.code, 0, restored.stderr);
    assert.deepEqual(await rowsOf(dataDir), await rowsOf(source.dataDir));
    assert.equal((await run(dataDir, "audit", "verify")).code, 0);
    return restored.stderr;
  };

  /** The folder of a restore that was killed in a phase. */
  const killedRestore = async (line: RegExp, isFilled: readonly boolean[]) => {
    const ends: unknown[] = [];
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const dataDir = await newTarget();
      const { endedBy } = await interrupt(dataDir, line, "SIGKILL");
      const filled = (await rowsOf(dataDir)).map((rows) => Number(rows) > 0);
      if (endedBy === "SIGKILL" && isDeepStrictEqual(filled, isFilled)) return dataDir;
      ends.push([endedBy, filled]);
    }
    throw new Error(`no restore was killed in this phase: ${JSON.stringify(ends)}`);
  };

  const phases: [name: string, line: RegExp, isFilled: [main: boolean, calls: boolean]][] = [
    ["while it fills the main database", /^audit: \d+ rows$/, [false, false]],
    ["while it fills the call log", /^log_counters: \d+ rows$/, [true, false]],
    ["while it verifies the audit log", /^Verifying the audit log/, [true, true]],
  ];
  for (const [name, line, isFilled] of phases) {
    it(`a restore leaves data that is not served, and that the next restore replaces, when it is killed ${name}`, async () => {
      const dataDir = await killedRestore(line, isFilled);
      const { code, stderr } = await run(dataDir, "serve");
      assert.deepEqual([code, stderr.includes("A restore into this database did not finish")], [78, true], stderr);
      assert.match(
        await assertRestorable(dataDir),
        /^Deleting the incomplete data of a restore that was interrupted$/m,
      );
    });
  }

  it("report how many rows are done while they run", async () => {
    const signal = new AbortController().signal;
    const path = join(source.dataDir, "counted.backup");
    const last = { backup: 0, verification: 0, restore: 0 };
    const onRows = (step: keyof typeof last) => (table: string, rows: number) => {
      if (table !== "log_names") return;
      assert.ok(rows >= last[step]);
      last[step] = rows;
    };
    const options = { version: "0.0.0", now: 0, clock: systemClock, isUrgent: true, report: () => {}, signal };
    await writeBackup(source.databases, { ...options, path, onRows: onRows("backup") });
    const manifest = await verifyBackup(path, { signal, onRows: onRows("verification") });
    const dataDir = await newTarget();
    const databases = await openDatabases({ dataDir, databaseUrl: undefined, logger: createLogger("silent") });
    await restoreBackup(databases, path, manifest, { ...options, onRows: onRows("restore") });
    await databases.close();
    const total = (await rowsOf(source.dataDir))[1];
    assert.deepEqual(last, { backup: total, verification: total, restore: total });
  });

  it("a restore rewrites its line at a terminal, and prints plain lines elsewhere", async () => {
    const words = [process.execPath, ...GATEHOUSE, "restore", file];
    const terminal = ["--quiet", "--return", "--command", words.map((word) => `'${word}'`).join(" "), "/dev/null"];
    const env = environmentOf(await newTarget());
    const { stdout } = await promisify(execFile)("script", terminal, { env, timeout: TIMEOUT_MS });
    assert.match(stdout, /\r[a-z_]+: \d+ rows so far/);
    assert.doesNotMatch(stdout, /so far *\r?\n/);
    const { stderr } = await run(await newTarget(), "restore", file);
    assert.doesNotMatch(stderr, /\r/);
  });

  it("a restore leaves nothing behind when it is interrupted during the verification", async () => {
    let dataDir = await newTarget();
    let ended = await interrupt(dataDir, /^Verifying the audit log/, "SIGINT");
    for (let attempt = 1; attempt < ATTEMPTS && ended.code === 0; attempt++) {
      dataDir = await newTarget();
      ended = await interrupt(dataDir, /^Verifying the audit log/, "SIGINT");
    }
    assert.deepEqual([ended.code, ended.lines.at(-1)], [130, "gatehouse: Interrupted. Nothing was restored."]);
    assert.equal(existsSync(join(dataDir, "gatehouse.key")), false);
    const databases = await openDatabases({ dataDir, databaseUrl: undefined, logger: createLogger("silent") });
    const tables = [await readTables(databases.main), await readTables(databases.calls)];
    await databases.close();
    assert.deepEqual(tables, [[], []]);
    assert.doesNotMatch(await assertRestorable(dataDir), /incomplete data/);
  });

  /** Runs a command whose files cannot grow further, as on a full disk. */
  const runLimited = async (bytes: number, dataDir: string, ...args: string[]) => {
    const limited = [`--fsize=${bytes}:`, process.execPath, ...GATEHOUSE, ...args];
    const child = spawn("prlimit", limited, { env: environmentOf(dataDir), stdio: ["ignore", "ignore", "pipe"] });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text) => {
      stderr += text;
    });
    const [code] = await once(child, "close");
    return { code, stderr };
  };

  it("a backup names a full disk in one line, and leaves no file", async () => {
    const path = join(source.dataDir, "full.backup");
    const { code, stderr } = await runLimited(400_000, source.dataDir, "backup", path, "--urgent");
    assert.equal(code, 1, stderr);
    assert.match(stderr, /\ngatehouse: Cannot use .*full\.backup\.partial: file too large\n$/);
    assert.doesNotMatch(stderr, /\n +at /);
    assert.deepEqual([existsSync(path), existsSync(`${path}.partial`)], [false, false]);
  });

  it("a restore names a full disk, and works once there is space", async () => {
    const dataDir = await newTarget();
    const { code, stderr } = await runLimited(4_000_000, dataDir, "restore", file);
    assert.equal(code, 1, stderr);
    assert.match(stderr, /\ngatehouse: The disk of the database .*, then try again\.\n$/);
    const isLeft = stderr.includes("The incomplete data could not be deleted.");
    assert.equal(existsSync(join(dataDir, "gatehouse.key")), isLeft);
    await assertRestorable(dataDir);
  });
});

forEachDatabase("a database that an interrupted restore left", (open) => {
  const withBackup = async (work: (database: TestDatabase, env: Environment, file: string) => Promise<void>) => {
    const database = await open();
    const { databases, dataDir, databaseUrl } = database;
    await (await startService(database)).close();
    const env = environmentOf(dataDir, databaseUrl);
    const file = join(dataDir, "small.backup");
    assert.equal((await runIn(env, "backup", file, "--with-key", "--urgent")).code, 0);
    await markUnfinished(databases.main);
    await work(database, env, file);
  };

  it("is refused by every command that needs the data, and is replaced by the next restore", () =>
    withBackup(async ({ databases, dataDir }, env, file) => {
      const other = join(dataDir, "other.backup");
      const commands = ["serve", "migrate", "owner-link", "audit verify", "keys status", "keys rotate"];
      for (const command of [...commands.map((words) => words.split(" ")), ["backup", other]]) {
        const { code, stdout, stderr } = await runIn(env, ...command);
        assert.deepEqual([code, stdout], [78, ""], command.join(" "));
        assert.match(
          stderr,
          /^gatehouse: A restore into this database did not finish, .*Run "gatehouse restore <file>"/,
        );
      }
      const { code, stdout } = await runIn(env, "doctor");
      assert.equal(code, 1);
      assert.match(stdout, /^error {4}Database +A restore into this database did not finish/m);
      await databases.main.deleteFrom("audit").execute();
      const restored = await runIn(env, "restore", file);
      assert.equal(restored.code, 0, restored.stderr);
      assert.match(restored.stderr, /^Deleting the incomplete data of a restore that was interrupted$/m);
      assert.equal((await runIn(env, "audit", "verify")).code, 0);
    }));

  it("is not touched while another restore runs", () =>
    withBackup(async ({ databases, dialect }, env, file) => {
      // With SQLite, the lock of the folder refuses the second one.
      if (dialect === "sqlite") return;
      const refused = await asOnlyRestore(databases, () => runIn(env, "restore", file));
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /^gatehouse: Another restore into this database is running\.$/m);
      assert.equal(await hasUnfinishedRestore(databases.main), true);
    }));
});
