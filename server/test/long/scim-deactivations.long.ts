/** A deactivation by SCIM: no later call passes at the replica that answered, and none at the other one after 2 s. */
import assert from "node:assert/strict";
import { it } from "node:test";
import { openTestPostgres, openTestSqlite, type TestDatabase } from "../databases.ts";
import { createSyncedServer } from "../factories.ts";
import { deactivateUnderLoad } from "../scim-deactivations.ts";
import { type Service, startService } from "../start-service.ts";
import { startRawUpstream } from "../upstreams/raw.ts";

const TRIALS = 200;
const CALLERS = 8;
const MAX_MS = 2_000;

for (const [name, open, replicas] of [
  ["SQLite", openTestSqlite, 1],
  ["Postgres with two replicas", openTestPostgres, 2],
] as const satisfies readonly [string, () => Promise<TestDatabase>, number][]) {
  it(`takes effect in time, ${TRIALS} times under load: ${name}`, async (t) => {
    const database = await open();
    const upstream = await startRawUpstream();
    const services: Service[] = [];
    for (let replica = 0; replica < replicas; replica++) services.push(await startService(database));
    t.after(async () => {
      for (const service of services) await service.close();
      await upstream.close();
      await database.close();
    });
    const [here] = services;
    assert.ok(here);
    await createSyncedServer(here, "Echo", upstream.url);
    const run = { database, here, gateways: services, token: here.token, trials: TRIALS, callers: CALLERS };
    const { passedBefore, passedAfter, elsewhereMs } = await deactivateUnderLoad(run);
    const most = Math.max(...elsewhereMs);
    t.diagnostic(
      `${passedBefore} calls passed before, ${passedAfter} after; all rejected after ${most.toFixed(0)} ms at most`,
    );
    assert.equal(passedAfter, 0);
    assert.ok(most <= MAX_MS, `${most} ms`);
  });
}
