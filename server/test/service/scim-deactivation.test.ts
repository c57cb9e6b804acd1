import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { forEachDatabase, openTestPostgres, type TestDatabase } from "../databases.ts";
import { createSyncedServer } from "../factories.ts";
import { deactivateUnderLoad } from "../scim-deactivations.ts";
import { type Service, startService } from "../start-service.ts";
import { type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";

const TRIALS = 12;
const CALLERS = 3;

forEachDatabase("a deactivation by SCIM", (open) => {
  it("lets no call pass that starts after its answer, while the person calls without pause (API-14)", async (t) => {
    const database = await open();
    const upstream = await startRawUpstream();
    const service = await startService(database);
    t.after(async () => {
      await service.close();
      await upstream.close();
    });
    await createSyncedServer(service, "Echo", upstream.url);
    const counts = await deactivateUnderLoad({
      ...{ database, here: service, gateways: [service], token: service.token, trials: TRIALS, callers: CALLERS },
    });
    assert.equal(counts.passedAfter, 0);
    assert.ok(counts.passedBefore >= TRIALS, "there were calls to reject");
  });
});

describe("a deactivation by SCIM at one of two replicas", () => {
  let database: TestDatabase;
  let upstream: RawUpstream;
  let replicas: readonly Service[];
  before(async () => {
    database = await openTestPostgres();
    upstream = await startRawUpstream();
    replicas = [await startService(database), await startService(database)];
  });
  after(async () => {
    for (const replica of replicas ?? []) await replica.close();
    await upstream?.close();
    await database?.close();
  });

  it("ends the person's calls at both", async () => {
    const [here] = replicas;
    assert.ok(here);
    await createSyncedServer(here, "Echo", upstream.url);
    // Each caller stops only after the gateway rejected it, so the run ends only if both replicas reject the person.
    const counts = await deactivateUnderLoad({
      ...{ database, here, gateways: replicas, token: here.token, trials: 3, callers: 2 },
    });
    assert.deepEqual([counts.passedAfter, counts.elsewhereMs.length], [0, 3]);
  });
});
