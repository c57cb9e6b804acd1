/**
 * F25: a backup of a running service, at 2,000 calls per second (CALLS_PER_SECOND). The restored data equals the state at
 * one instant, and calls stay as fast as before (p99 within 1.2 times; printed, and checked with CHECK_FIGURES=1 on an idle
 * machine).
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createLogger } from "#lib/logger";
import type { Databases } from "#storage/database";
import { openDatabases } from "#storage/open-databases";
import { createPostgresDatabase, makeDataDir } from "../databases.ts";
import { AdminWriter, KINDS } from "./admin-writer.ts";
import { BusyNeighbor } from "./busy-neighbor.ts";
import { PacedCalls, percentile99 } from "./paced-calls.ts";
import { type Dialect, inLongSetup, type LongSetup } from "./setup.ts";

const TIMEOUT = { timeout: 10 * 60_000 };
const BIN = fileURLToPath(new URL("../../../dist/bin/gatehouse.mjs", import.meta.url));
const CALLS_PER_SECOND = Number(process.env.CALLS_PER_SECOND ?? 2_000);
/** Quiet times and backups alternate, so that a slower machine affects both. */
const ROUNDS = Number(process.env.ROUNDS ?? 6);
const QUIET_MS = 8_000;
const WARM_UP_MS = 10_000;
const WRITER_PAUSE_MS = 100;

/** A backup and what the admin had written before it began and after it ended. */
interface Copy {
  readonly file: string;
  readonly before: ReadonlyMap<string, number>;
  readonly after: ReadonlyMap<string, number>;
}

async function command(environment: NodeJS.ProcessEnv, ...args: string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [BIN, ...args], { env: { PATH: process.env.PATH, ...environment } });
}

function countAcknowledged({ acknowledged }: AdminWriter): Map<string, number> {
  return new Map([...acknowledged].map(([path, names]) => [path, names.size]));
}

async function makeCopies(context: LongSetup, writer: AdminWriter, calls: PacedCalls, test: TestContext) {
  const copies: Copy[] = [];
  const [quiet, shared, busy]: [number[], number[], number[]] = [[], [], []];
  const neighbor = new BusyNeighbor(1);
  test.after(() => neighbor.stop());
  let backupMs = 0;
  await calls.during(() => sleep(WARM_UP_MS));
  for (let round = 1; round <= ROUNDS; round++) {
    quiet.push(...(await calls.during(() => sleep(QUIET_MS))));
    shared.push(...(await neighbor.during(() => calls.during(() => sleep(QUIET_MS)))));
    const file = join(context.dataDir, `backup-${round}.ghb`);
    const before = countAcknowledged(writer);
    const startedAt = performance.now();
    busy.push(...(await calls.during(() => command(context.environment, "backup", file))));
    backupMs += performance.now() - startedAt;
    copies.push({ file, before, after: countAcknowledged(writer) });
  }
  const [alone, next, during] = [percentile99(quiet), percentile99(shared), percentile99(busy)];
  test.diagnostic(`${ROUNDS} backups in ${Math.round(backupMs)} ms, ${quiet.length} + ${busy.length} calls`);
  test.diagnostic(`p99 of calls: ${alone.toFixed(1)} ms, during backups ${during.toFixed(1)} ms`);
  test.diagnostic(`next to a busy process that does not use the service: ${next.toFixed(1)} ms`);
  if (process.env.CHECK_FIGURES) assert.ok(during <= alone * 1.2, `${during} ms instead of ${alone} ms`);
  return copies;
}

for (const dialect of ["sqlite", "postgres"] as const satisfies Dialect[]) {
  it(`backs up one instant of a busy service (${dialect})`, TIMEOUT, (test) =>
    inLongSetup(dialect, test.signal, async (context) => {
      const { service, upstream } = context;
      const calls = await PacedCalls.prepare(await service.current(), CALLS_PER_SECOND);
      const writer = new AdminWriter();
      let isOver = false;
      const writing = writer.writeRepeatedly(service, upstream.url, () => isOver, { pauseMs: WRITER_PAUSE_MS });
      try {
        const copies = await makeCopies(context, writer, calls, test);
        isOver = true;
        await writing;
        assert.deepEqual([...calls.failures.slice(0, 5), ...writer.failures.slice(0, 5)], []);
        for (const copy of copies) await checkRestored(context, copy, dialect, test);
      } finally {
        isOver = true;
        await writing;
        await calls.close();
      }
    }),
  );
}

async function checkRestored(context: LongSetup, copy: Copy, dialect: Dialect, test: TestContext): Promise<void> {
  const dataDir = await makeDataDir();
  const database = dialect === "postgres" ? await createPostgresDatabase() : undefined;
  const place = { dataDir, databaseUrl: database?.databaseUrl, logger: createLogger("silent") };
  try {
    // It also verifies the audit chain.
    await command(
      { ...context.environment, DATA_DIR: dataDir, ...(database && { DATABASE_URL: database.databaseUrl }) },
      "restore",
      copy.file,
    );
    const restored = await openDatabases(place);
    const running = await openDatabases({ ...place, dataDir: context.dataDir, databaseUrl: context.databaseUrl });
    try {
      const entry = await compareInstant(restored, running);
      await compareAcknowledged(restored, copy);
      test.diagnostic(`restored ${await compareCalls(restored, running)} calls, and records up to entry ${entry}`);
    } finally {
      await restored.close();
      await running.close();
    }
  } finally {
    await database?.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The records are exactly those that the audit log up to its last entry created. */
async function compareInstant({ main }: Databases, running: Databases): Promise<number> {
  const { seq, hash } = await main.selectFrom("audit_chain").select(["seq", "hash"]).executeTakeFirstOrThrow();
  const entry = await running.main.selectFrom("audit").select("hash").where("seq", "=", seq).executeTakeFirstOrThrow();
  assert.equal(hash, entry.hash, "the chain is a prefix of that of the running service");
  for (const { table, operation } of KINDS) {
    const rows = await main.selectFrom(table).select("id").orderBy("id").execute();
    const created = await running.main
      .selectFrom("audit")
      .select("target_id")
      .where("operation", "=", operation)
      .where("seq", "<=", seq)
      .orderBy("target_id")
      .execute();
    assert.deepEqual(
      rows.map(({ id }) => id),
      created.map(({ target_id: id }) => id),
      operation,
    );
  }
  return seq;
}

/** Writes acknowledged before the backup are in it, and none that began after it. */
async function compareAcknowledged({ main }: Databases, { before, after }: Copy): Promise<void> {
  for (const { path, table } of KINDS) {
    const written = await main.selectFrom(table).select("name").where("name", "like", "written %").execute();
    const numbers = written.map(({ name }) => Number(name.slice("written ".length))).sort((a, b) => a - b);
    assert.deepEqual(
      numbers,
      Array.from(numbers, (_, at) => at + 1),
      `${path}: no gaps`,
    );
    assert.ok(numbers.length >= (before.get(path) ?? 0), `${path}: ${numbers.length} of ${before.get(path)}`);
    // One write may be under way.
    assert.ok(numbers.length <= (after.get(path) ?? 0) + 1, `${path}: ${numbers.length} of ${after.get(path)}`);
  }
}

/** The calls are the first ones of the log: no call is missing between others. */
async function compareCalls(restored: Databases, running: Databases): Promise<number> {
  const summary = (db: Databases, upTo?: number) =>
    db.calls
      .selectFrom("calls")
      .select((expression) => [
        expression.fn.countAll<number | string>().as("count"),
        expression.fn.max("id").as("last"),
      ])
      .$if(upTo !== undefined, (query) => query.where("id", "<=", upTo ?? 0))
      .executeTakeFirstOrThrow();
  const copied = await summary(restored);
  const original = await summary(running, Number(copied.last));
  assert.equal(Number(copied.count), Number(original.count));
  return Number(copied.count);
}
