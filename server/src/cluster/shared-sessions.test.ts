import assert from "node:assert/strict";
import { before, it } from "node:test";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { Vault } from "#storage/vault";
import { testClock } from "#test/clock";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { MCP_2025_11_25 } from "#test/gateway-kit";
import { createSharedSessions } from "./shared-sessions.ts";

const MINUTE = 60_000;
const OPENED = { sessionId: "canary-of-the-upstream", version: MCP_2025_11_25, logs: true };
const place = {
  mcpSessionId: "session",
  userId: "usr_1",
  serverId: "srv_1",
  url: "https://upstream.example.com/mcp",
  grant: "con_1",
};

forEachDatabase("shared upstream sessions", (open) => {
  const clock = testClock();
  const logger = createLogger("silent");
  const key = { purpose: "mcp-session", version: 1, createdAt: 0, key: Buffer.alloc(32, 7) } as const;
  const vault = new Vault([key], { clock, logger });
  let database: TestDatabase;
  let one: ReturnType<typeof createSharedSessions>;
  let two: typeof one;

  before(async () => {
    database = await open();
    const deps = { db: database.databases.main, clock, newId: createIds(clock, systemRandom), vault, logger };
    [one, two] = [createSharedSessions(deps), createSharedSessions(deps)];
  });

  it("are found by all processes, only for their exact key, and are stored sealed", async () => {
    const shared = await one.share(place, OPENED);
    assert.deepEqual((await two.find(place)).session, { ...OPENED, id: shared?.id });
    for (const field of ["mcpSessionId", "serverId", "url", "grant"] as const)
      assert.equal((await two.find({ ...place, [field]: "another" })).session, undefined, field);
    const rows = await database.databases.main.selectFrom("upstream_sessions").selectAll().execute();
    assert.ok(!JSON.stringify(rows).includes("canary"));
  });

  it("resolve to the first when two are shared for the same key", async () => {
    const otherPlace = { ...place, serverId: "srv_2" };
    const shared = await one.share(otherPlace, OPENED);
    assert.deepEqual(await two.share(otherPlace, { ...OPENED, sessionId: "later" }), shared);
  });

  it("are not found again after they are lost, and their replacement is kept", async () => {
    const otherPlace = { ...place, serverId: "srv_3" };
    const first = await one.share(otherPlace, OPENED);
    assert.ok(first);
    void one.lost(first.id);
    assert.equal((await one.find(otherPlace)).session, undefined);
    const second = await two.share(otherPlace, { ...OPENED, sessionId: "second" });
    await one.lost(first.id);
    assert.deepEqual((await one.find(otherPlace)).session, second);
  });

  it("are released to one process after no process has used them for a while", async () => {
    const shared = await one.share({ ...place, serverId: "srv_4" }, OPENED);
    assert.ok(shared);
    clock.advance(20 * MINUTE);
    await two.touch([shared.id]);
    assert.equal(await one.release(shared.id), false);
    clock.advance(20 * MINUTE);
    assert.deepEqual([await one.release(shared.id), await two.release(shared.id)], [true, false]);
  });

  it("stay local while the database is unavailable, without errors", async () => {
    const unavailable = await open();
    await unavailable.close();
    const deps = { db: unavailable.databases.main, clock, newId: createIds(clock, systemRandom), vault, logger };
    const alone = createSharedSessions(deps);
    assert.deepEqual(await alone.find(place), { session: undefined, logLevel: undefined });
    assert.equal(await alone.share(place, OPENED), undefined);
    await alone.touch(["ses_1"]);
    await alone.lost("ses_1");
    assert.equal(await alone.release("ses_1"), false);
  });
});
