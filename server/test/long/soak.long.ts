/**
 * OPS-7, GW-21: a minute (or SOAK_SECONDS) of mixed load: tool calls of both eras with and without streams, lists,
 * denied calls, callers that disconnect, an admin who writes and one who reads. No call fails and each has one record.
 * The size of the process is printed, not checked.
 */
import assert from "node:assert/strict";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { checkData } from "./check-data.ts";
import { checkLog, readWholeLog } from "./check-log.ts";
import type { KillableService } from "./killable-service.ts";
import { type Load, underLoad } from "./load.ts";
import { processSize } from "./process-size.ts";
import { type Dialect, inLongSetup, type LongSetup } from "./setup.ts";

const SECONDS = Number(process.env.SOAK_SECONDS ?? 60);
const SAMPLES = 6;
const READ_EVERY_MS = 500;
/** Only a safeguard against hanging. */
const TIMEOUT = { timeout: (SECONDS + 600) * 1000 };

/** Waits, and prints the size of the process periodically. */
async function watch({ service, history }: LongSetup, test: TestContext): Promise<void> {
  const { pid } = await service.current();
  test.diagnostic(`before: ${processSize(pid)}`);
  for (let sample = 1; sample <= SAMPLES; sample++) {
    await sleep((SECONDS * 1000) / SAMPLES);
    const seconds = Math.round((SECONDS * sample) / SAMPLES);
    test.diagnostic(`after ${seconds} s and ${history.answered} answers: ${processSize(pid)}`);
  }
}

/** An admin who keeps the log open. */
const readRepeatedly =
  (service: KillableService): Load =>
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
  it(`fails no call and stores one record for each under mixed load for ${SECONDS} s (${dialect})`, TIMEOUT, (test) =>
    inLongSetup(dialect, test.signal, async (context) => {
      const { service, history } = context;
      const writer = await underLoad(context, () => watch(context, test), readRepeatedly(service));
      const life = await service.current();
      const { rows, outcomes } = checkLog(await readWholeLog(life), history);
      const unanswered = history.sent.filter((call) => call.requestId === undefined && call.kind !== "hang-up");
      assert.deepEqual(unanswered, []);
      assert.equal(outcomes.interrupted, undefined);
      await writer.check(life);
      test.diagnostic(`idle: ${processSize(life.pid)}`);
      await service.close();
      await checkData(context.dataDir, context.databaseUrl);
      assert.equal(service.unexpectedOutput, "");
      test.diagnostic(`log: ${rows} rows, ${JSON.stringify(outcomes)}`);
    }),
  );
}
