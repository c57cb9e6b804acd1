/**
 * OPS-2, GW-21: the real process, killed by `kill -9` at random moments while callers call and an admin writes, and
 * while it starts. Afterwards every answered call is in the log once, every forwarded one at least as interrupted,
 * every acknowledged write is there, whole, and a write repeated under its Idempotency-Key happened once.
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
import { judgeData } from "./judge-data.ts";
import { judgeLog, readWholeLog } from "./judge-log.ts";
import { underLoad } from "./load.ts";
import { spawnService } from "./service-process.ts";
import { type Dialect, inLongSetup, type LongSetup } from "./setup.ts";

/** Only against hanging for ever. */
const PATIENCE = { timeout: 15 * 60_000 };

/** Counted in answers, not in time: a slow machine kills as much as a fast one. */
const death = fc.record({
  answers: fc.integer({ min: 0, max: 500 }),
  /** Most deaths come in the middle of a write: before its commit, or between that and its answer. */
  shareOfWrite: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { freq: 4 }),
  /** Some of the starts that follow are killed too. */
  startingMs: fc.oneof(
    { arbitrary: fc.constant<number[]>([]), weight: 3 },
    { arbitrary: fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 2 }), weight: 1 },
  ),
});

async function killAgainAndAgain(
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
  it(`killed ${deaths} times under load, it has lost nothing and done nothing twice (${dialect})`, PATIENCE, (test) =>
    inLongSetup(dialect, test.signal, async (context) => {
      const { service, history } = context;
      const writer = await underLoad(context, (admin) => killAgainAndAgain(context, admin, deaths, test));
      const last = await service.current();
      const { rows, outcomes } = judgeLog(await readWholeLog(last), history);
      await writer.judge(last);
      await service.close();
      await judgeData(context.dataDir, context.databaseUrl);
      assert.equal(service.complaints, "");

      const written = [...writer.acknowledged.values()].reduce((sum, names) => sum + names.size, 0);
      test.diagnostic(`${service.kills} kills; starts to ready in ms: ${service.startsMs.join(" ")}`);
      test.diagnostic(
        `calls: ${history.sent.length} sent, ${history.answered} answered, ${history.seen.size} forwarded`,
      );
      test.diagnostic(`log: ${rows} rows, ${JSON.stringify(outcomes)}`);
      test.diagnostic(`writes: ${written} acknowledged, ${writer.repeated} of them asked again after a kill`);
    }),
  );
}

describe("killed during its very first start", () => {
  const moments = fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 3, maxLength: 3 });

  it("it starts the next time, with one key and one token", PATIENCE, async (test) => {
    for (const kills of fc.sample(moments, { seed: seedFor(test), numRuns: 5 })) await startAfter(kills);
  });
});

async function startAfter(kills: readonly number[]): Promise<void> {
  const dataDir = await makeDataDir();
  // An empty token is none given: it makes one itself.
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
