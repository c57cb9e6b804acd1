/**
 * OPS-2, GW-21: the real process is killed with `kill -9` at random moments while callers call and an admin writes, and
 * during startup. Afterwards every answered call is in the log once, every forwarded one at least as interrupted, every
 * acknowledged write is complete, and a write repeated with its Idempotency-Key happened once.
 */
import assert from "node:assert/strict";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { makeDataDir } from "../databases.ts";
import { seedFor } from "../seed.ts";
import type { AdminWriter } from "./admin-writer.ts";
import { checkData } from "./check-data.ts";
import { checkLog, readWholeLog } from "./check-log.ts";
import { underLoad } from "./load.ts";
import { spawnService } from "./service-process.ts";
import { type Dialect, inLongSetup, type LongSetup } from "./setup.ts";

/** Only a safeguard against hanging. */
const TIMEOUT = { timeout: 15 * 60_000 };

/** Counted in responses, not in time, so that slow machines test as much as fast ones. */
const death = fc.record({
  answers: fc.integer({ min: 0, max: 500 }),
  /** Most kills happen in the middle of a write: before its commit, or between commit and response. */
  shareOfWrite: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 4 }),
  /** Some of the following starts are killed too. */
  startingMs: fc.oneof(
    { arbitrary: fc.constant<number[]>([]), weight: 3 },
    { arbitrary: fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
});

async function killRepeatedly(
  { service, history }: LongSetup,
  writer: AdminWriter,
  deaths: number,
  test: TestContext,
): Promise<void> {
  const until = async (happened: () => boolean) => {
    while (!happened()) await sleep(1, undefined, { signal: test.signal });
  };
  for (const { answers, shareOfWrite, startingMs } of fc.sample(death, { seed: seedFor(test), numRuns: deaths })) {
    const enough = history.answered + answers;
    await until(() => history.answered >= enough);
    if (shareOfWrite !== null) {
      const begun = writer.begun;
      await until(() => writer.begun > begun);
      await sleep(shareOfWrite * writer.latestMs);
    }
    await service.die(startingMs);
  }
}

for (const [dialect, deaths] of [
  ["sqlite", 20],
  ["postgres", 5],
] as const satisfies [Dialect, number][]) {
  it(`loses nothing and repeats nothing when killed ${deaths} times under load (${dialect})`, TIMEOUT, (test) =>
    inLongSetup(dialect, test.signal, async (context) => {
      const { service, history } = context;
      const writer = await underLoad(context, (admin) => killRepeatedly(context, admin, deaths, test));
      const last = await service.current();
      const { rows, outcomes } = checkLog(await readWholeLog(last), history);
      await writer.check(last);
      await service.close();
      await checkData(context.dataDir, context.databaseUrl);
      assert.equal(service.unexpectedOutput, "");

      const written = [...writer.acknowledged.values()].reduce((sum, names) => sum + names.size, 0);
      test.diagnostic(`${service.kills} kills; starts to ready in ms: ${service.startsMs.join(" ")}`);
      test.diagnostic(
        `calls: ${history.sent.length} sent, ${history.answered} answered, ${history.seen.size} forwarded`,
      );
      test.diagnostic(`log: ${rows} rows, ${JSON.stringify(outcomes)}`);
      test.diagnostic(`writes: ${written} acknowledged, ${writer.repeated} of them repeated after a kill`);
    }),
  );
}

describe("killed during its first start", () => {
  const moments = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 3, maxLength: 3 });

  it("starts the next time, with one key and one token", TIMEOUT, async (test) => {
    for (const kills of fc.sample(moments, { seed: seedFor(test), numRuns: 5 })) await startAfter(kills);
  });
});

async function startAfter(kills: readonly number[]): Promise<void> {
  const dataDir = await makeDataDir();
  // An empty token counts as not configured, so that one is created.
  const settings = { token: "", environment: { DATA_DIR: dataDir } };
  for (const ms of kills) {
    const killed = spawnService(settings);
    await sleep(ms);
    await killed.kill();
  }
  const starting = spawnService(settings);
  try {
    const service = await starting.ready;
    const token = (await readFile(join(dataDir, "admin-token"), "utf8")).trim();
    const tokens = await service.http("/api/api-tokens", { headers: { authorization: `Bearer ${token}` } });
    assert.deepEqual([tokens.status, tokens.body?.data?.length], [200, 1], tokens.text);
    await service.close();
  } finally {
    await starting.kill();
    await rm(dataDir, { recursive: true, force: true });
  }
}
