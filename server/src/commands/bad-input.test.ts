import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, ftruncateSync, mkdirSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, describe, it } from "node:test";
import { sql } from "kysely";
import { createKeyFile } from "#storage/key-file";
import { makeDataDir, openTestSqlite } from "#test/databases";
import { GATEHOUSE } from "#test/gatehouse-command";
import { startService } from "#test/start-service";
import { Interrupted, interruptible } from "./interruption.ts";

/** More than any disk of a test has. */
const SPARSE_PAGES = 1 << 29;
const PAGE_BYTES = 4096;
/** In the header of a SQLite file. */
const PAGE_COUNT_OFFSET = 28;

describe("commands for operators", () => {
  const folders: string[] = [];
  after(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const newFolder = async () => {
    const folder = await makeDataDir();
    folders.push(folder);
    return folder;
  };

  const begin = (args: readonly string[], dataDir: string, stdout: "pipe" | number = "pipe") =>
    spawn(process.execPath, [...GATEHOUSE, ...args], {
      env: { PATH: process.env.PATH, DATA_DIR: dataDir, REGISTRY_SYNC: "off" },
      stdio: ["ignore", stdout, "pipe"],
    });
  const endOf = async (child: ChildProcess) => {
    const closed = once(child, "close");
    const stderr = child.stderr ? await text(child.stderr) : "";
    const [code] = await closed;
    return { code, stderr };
  };
  const run = async (args: readonly string[], dataDir: string) => {
    const child = begin(args, dataDir);
    child.stdout?.resume();
    return endOf(child);
  };

  for (const args of [["--help"], ["openapi"], ["completion", "bash"], ["version"], ["keys", "status"], ["doctor"]]) {
    it(`${args.join(" ")} ends normally if the reader of a pipe closed it, as head does`, async () => {
      const child = begin(args, await newFolder());
      child.stdout?.destroy();
      assert.deepEqual(await endOf(child), { code: 0, stderr: "" });
    });
  }

  it("report output that cannot be written in one line, and exit with 1", async () => {
    const full = openSync("/dev/full", "w");
    try {
      for (const args of [["--help"], ["keys", "status"]]) {
        const { code, stderr } = await endOf(begin(args, await newFolder(), full));
        assert.deepEqual(
          [code, stderr],
          [1, "gatehouse: Cannot write the output: ENOSPC: no space left on device, write\n"],
        );
      }
    } finally {
      closeSync(full);
    }
  });

  it("that need data create no new installation if the settings are wrong", async () => {
    const folder = await newFolder();
    const wrong = join(folder, "wrong");
    for (const args of [["audit", "verify"], ["owner-link"], ["compact"], ["backup", join(folder, "x.backup")]]) {
      const { code, stderr } = await run(args, wrong);
      const hint =
        "Use the settings of the service, for example with --settings. The first start creates the database.";
      assert.deepEqual([code, stderr], [78, `gatehouse: DATA_DIR (${wrong}) has no database of Gatehouse. ${hint}\n`]);
    }
    assert.deepEqual(readdirSync(folder), []);
  });

  it("that need all tables of this release report a database of an earlier one", async () => {
    const database = await openTestSqlite();
    await (await startService(database)).close();
    const newest = sql`delete from schema_migrations where name = (select max(name) from schema_migrations)`;
    await newest.execute(database.databases.main);
    for (const verb of ["status", "rotate"]) {
      const problem = "The database still has the tables of an earlier release.";
      const advice = 'Run "gatehouse migrate", or start the service of this release, and try again.';
      assert.deepEqual(await run(["keys", verb], database.dataDir), {
        code: 78,
        stderr: `gatehouse: ${problem} ${advice}\n`,
      });
    }
    await database.close();
  });

  it("report that files are compacted, and a disk without the space for it", async () => {
    const database = await openTestSqlite();
    await (await startService(database)).close();
    await database.databases.close();
    const started = "Compacting calls.db and gatehouse.db. Changes wait until it is complete, calls do not.\n";
    assert.deepEqual(await run(["compact"], database.dataDir), { code: 0, stderr: started });
    const path = join(database.dataDir, "calls.db");
    const file = openSync(path, "r+");
    // A file with holes, whose header has the same size.
    const pages = Buffer.alloc(4);
    pages.writeUInt32BE(SPARSE_PAGES);
    writeSync(file, pages, 0, pages.length, PAGE_COUNT_OFFSET);
    ftruncateSync(file, SPARSE_PAGES * PAGE_BYTES);
    closeSync(file);
    const { code, stderr } = await run(["compact"], database.dataDir);
    assert.equal(code, 1, stderr);
    assert.match(
      stderr,
      /\ngatehouse: Compacting .*calls\.db needs \d+ MB of free disk space\. Free some space, then /,
    );
    rmSync(path);
    await database.close();
  });

  it("report a folder or a database that cannot be used in one line", async () => {
    const folder = await newFolder();
    const file = join(folder, "file");
    writeFileSync(file, "");
    assert.deepEqual(await run(["migrate"], file), {
      code: 1,
      stderr: `gatehouse: Cannot use ${file}: file already exists\n`,
    });
    const damaged = join(folder, "damaged");
    mkdirSync(damaged);
    createKeyFile(join(damaged, "gatehouse.key"));
    writeFileSync(join(damaged, "gatehouse.db"), "not a database".repeat(100));
    for (const args of [["audit", "verify"], ["migrate"], ["serve"]]) {
      const { code, stderr } = await run(args, damaged);
      const reason = `Cannot open the database ${join(damaged, "gatehouse.db")}: file is not a database`;
      assert.deepEqual([code, stderr], [1, `gatehouse: ${reason}\n`]);
    }
  });

  it("that write or read a backup need a file", async () => {
    const folder = await newFolder();
    for (const [command, path, problem] of [
      ["backup", "", "backup requires one file"],
      ["backup", "-", "backup writes to a file, not to stdout"],
      ["restore", "", "restore requires one file"],
      ["restore", "-", "restore reads the backup several times, so it needs a file instead of stdin or a pipe"],
      [
        "restore",
        "/dev/stdin",
        "restore reads the backup several times, so it needs a file instead of stdin or a pipe",
      ],
      ["restore", folder, `${folder} is a folder, not a backup`],
    ] as const) {
      const { code, stderr } = await run([command, path], folder);
      assert.deepEqual([code, stderr.split("\n")[0]], [64, `gatehouse: ${problem}`]);
    }
    assert.deepEqual(readdirSync(folder), []);
  });

  it("report an unknown option without further advice", async () => {
    for (const args of [
      ["backup", "--no-such", "x"],
      ["keys", "generate", "--no-such"],
      ["restore", "x", "--no-such"],
      ["doctor", "--no-such"],
    ]) {
      const { code, stderr } = await run(args, "data");
      assert.deepEqual([code, stderr.split("\n")[0]], [64, "gatehouse: Unknown option '--no-such'"]);
    }
  });

  for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    it(`are interrupted by the first ${name}, and end at the second`, async () => {
      const before = process.listenerCount(name);
      const work = interruptible("Interrupted. Nothing was done.", async (signal) => {
        assert.equal(process.listenerCount(name), before + 1);
        process.rawListeners(name).at(-1)?.(name);
        assert.equal(process.listenerCount(name), before);
        signal.throwIfAborted();
      });
      await assert.rejects(work, new Interrupted("Interrupted. Nothing was done."));
    });
  }
});
