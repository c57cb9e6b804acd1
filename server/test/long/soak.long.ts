/**
 * OPS-7, GW-21: a minute (or SOAK_SECONDS) of everything at once: tool calls of both eras with and without streams,
 * lists, denied calls, callers who hang up, an admin who writes and one who reads. No call fails and each has one
 * record. What the process holds is printed, not judged.
 */
import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { judgeData } from "./judge-data.ts";
import { judgeLog, readWholeLog } from "./judge-log.ts";
import { type Load, underLoad } from "./load.ts";
import type { MortalService } from "./mortal-service.ts";
import { processSize } from "./process-size.ts";
import { type Dialect, inLongSetup, type LongSetup } from "./setup.ts";

const SECONDS = Number(process.env.SOAK_SECONDS ?? 60);
const SAMPLES = 6;
const READ_EVERY_MS = 500;
/** Only against hanging for ever. */
const PATIENCE = { timeout: (SECONDS + 600) * 1000 };

/** Waits, and tells from time to time how large the process is. */
async function watch({ service, history }: LongSetup, test: TestContext): Promise<void> {
  const { pid } = await service.current();
  test.diagnostic(`before: ${processSize(pid)}`);
  for (let sample = 1; sample <= SAMPLES; sample++) {
    await sleep((SECONDS * 1000) / SAMPLES);
    const seconds = Math.round((SECONDS * sample) / SAMPLES);
    test.diagnostic(`after ${seconds} s and ${history.answered} answers: ${processSize(pid)}`);
  }
}

/** An admin with the log open in front of them. */
const readAgainAndAgain =
  (service: MortalService): Load =>
  async (isOver) => {
    const life = await service.current();
    while (!isOver()) {
      for (const path of [
        "/api/logs?limit=50",
        "/api/logs?outcome=denied",
        "/api/mcp-servers?fields=slug,tools(name)",
      ]) {
        const { status, text } = await life.api("GET", path);
        assert.equal(status, 200, text);
      }
      await sleep(READ_EVERY_MS);
    }
  };

for (const dialect of ["sqlite", "postgres"] as const satisfies Dialect[]) {
  it(`under mixed load for ${SECONDS} s no call fails and each has one record (${dialect})`, PATIENCE, (test) =>
    inLongSetup(dialect, test.signal, async (context) => {
      const { service, history } = context;
      const writer = await underLoad(context, () => watch(context, test), readAgainAndAgain(service));
      const life = await service.current();
      const { rows, outcomes } = judgeLog(await readWholeLog(life), history);
      const unanswered = history.sent.filter((call) => call.requestId === undefined && call.kind !== "hang-up");
      assert.deepEqual(unanswered, []);
      assert.equal(outcomes.interrupted, undefined);
      await writer.judge(life);
      test.diagnostic(`at rest: ${processSize(life.pid)}`);
      await service.close();
      await judgeData(context.dataDir, context.databaseUrl);
      assert.equal(service.complaints, "");
      test.diagnostic(`log: ${rows} rows, ${JSON.stringify(outcomes)}`);
    }),
  );
}
