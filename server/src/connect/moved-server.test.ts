import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { type ConnectSetup, openConnectSetup, USER } from "#test/oauth/connect-setup";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { UpstreamCredentials } from "./upstream-credentials.ts";

const ID = "srv_moved";

forEachDatabase("a server that moved (AZ-8)", (open) => {
  const clock = testClock();
  let context: ConnectSetup;
  let [former, present]: Customer[] = [];
  let credentials: UpstreamCredentials;
  before(async () => {
    context = await openConnectSetup(await open(), clock);
    [former, present] = [await startCustomer(), await startCustomer()];
    const { db, vault } = context;
    const newId = createIds(clock, systemRandom);
    credentials = new UpstreamCredentials({ db, vault, clock, newId, logger: createLogger("silent") });
  });
  after(async () => {
    await former?.close();
    await present?.close();
    context.close();
  });

  it("receives at its old URL no credential for the new one", async () => {
    assert.ok(former && present);
    await context.addServer(ID, former);
    await context.connected(former, ID);
    const [there, here] = [former, present].map(({ url }) => ({ id: ID, upstream: { url } }));
    assert.ok(there && here);
    const given = await credentials.of(there, USER);
    assert.ok(typeof given === "object");
    await context.db.deleteFrom("connections").execute();
    const moved = { upstream_url: present.url, discovered_oauth: null };
    await context.db.updateTable("mcp_servers").set(moved).where("id", "=", ID).execute();
    credentials.forget(undefined);
    await context.connected(present, ID);
    assert.equal(await credentials.refused(there, USER, given, false), "not_connected");
    const [now, then] = await Promise.all([credentials.of(here, USER), credentials.of(there, USER)]);
    const { secret, state } = (await context.connection(ID)) ?? {};
    assert.deepEqual(typeof now === "object" && now.headers, ["Authorization", `Bearer ${secret?.accessToken}`]);
    assert.deepEqual([then, state], ["not_connected", "connected"]);
    const same = { headers: typeof now === "object" ? now.headers : [], grant: "" };
    assert.equal(await credentials.refused(there, USER, same, true), "not_connected");
    assert.equal((await context.connection(ID))?.state, "connected", "the old place does not end it either");
  });
});
