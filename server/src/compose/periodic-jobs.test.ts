import assert from "node:assert/strict";
import { join } from "node:path";
import { it } from "node:test";
import { createPlatforms } from "#agents/platforms/platforms";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { changeSettings } from "#records/settings";
import { readKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { WriteTrail } from "#storage/transaction";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { createServer } from "#test/factories";
import { startService } from "#test/start-service";
import { noStepGuards } from "#test/step-guards";
import { periodicJobs } from "./periodic-jobs.ts";

const MINUTE_MS = 60_000;

forEachDatabase("periodic jobs", (open) => {
  it("sync tools at the interval in the settings, starting with the next run", async () => {
    const database = await open();
    const { databases } = database;
    const service = await startService(database);
    // The address is not allowed as an upstream, so that syncing fails immediately.
    await createServer(service, "Read", "http://10.0.0.1/mcp");
    await service.close();
    const clock = testClock();
    await databases.main.updateTable("mcp_servers").set({ sync_tried_at: clock.now(), sync_error: null }).execute();
    let reads = 0;
    const sync = {
      now: async () => {
        reads++;
        return { error: undefined };
      },
      again: async () => ({ error: undefined }),
      soon() {},
      used() {},
      async wait() {},
      tryHeaders: async () => ({ verdict: "unknown", cause: "unreachable", reason: "" }) as const,
      async stop() {},
    };
    const keys = [readKeyFile(join(database.dataDir, "gatehouse.key"))];
    const vault = await openVault(databases.main, keys, { clock, logger: createLogger("silent") });
    const newId = createIds(clock, systemRandom);
    const fetch = async () => Promise.reject(new Error("no platform is used"));
    const platforms = createPlatforms({
      fetch,
      clock,
      vault,
      baseUrl: "http://localhost",
      gatewayUrl: "http://localhost",
    });
    const stepGuards = noStepGuards();
    const discovery = { evaluate: async () => {} };
    const idle = { logger: createLogger("silent"), agents: { wake() {}, platforms, stepGuards }, discovery };
    const needs = { databases, clock, newId, sync, registry: undefined, documents: undefined, vault, keys, ...idle };
    const job = periodicJobs(needs).find(({ name }) => name === "sync-tools");
    const readsAfter = async (ms: number) => {
      reads = 0;
      clock.advance(ms);
      await job?.run();
      return reads;
    };
    const setMinutes = (minutes: number | null) =>
      databases.main
        .transaction()
        .execute((tx) => changeSettings(tx, new WriteTrail(), { tool_sync_interval_minutes: minutes }, 1));
    assert.equal(await readsAfter(15 * MINUTE_MS), 0);
    assert.equal(await readsAfter(1), 1);
    await setMinutes(600);
    assert.equal(await readsAfter(585 * MINUTE_MS - 1), 0);
    assert.equal(await readsAfter(1), 1);
    await setMinutes(601);
    assert.equal(await readsAfter(0), 0);
    await setMinutes(null);
    assert.equal(await readsAfter(0), 1);
  });
});
