import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "#lib/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { eventsOf } from "#test/gateway-kit";
import { type CallerEra, callText, eraHeaders } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const SPEED = 20;
/** Timers and durations are 20 times as fast. */
const fastClock: Clock = {
  ...systemClock,
  monotonic: () => systemClock.monotonic() * SPEED,
  after: (delayMs, task) => systemClock.after(delayMs / SPEED, task),
};

/** Behavior does not depend on the database, so one is enough. */
describe("a server that takes 40 s to respond", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let upstream: RawUpstream;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database, { clock: fastClock });
    bot = await createMachineUser(service, "bot");
    upstream = await startRawUpstream({
      gate: ({ method }) => (method === "tools/call" ? sleep(40_000 / SPEED) : undefined),
    });
    await createSyncedServer(service, "slow", upstream.url);
    await createGroup(service, "bots", { slugs: ["slow"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });
  const call = (era: CallerEra, accept: string) => {
    const text = callText({ era, id: "7", tool: "slow__echo", arguments: '{"a":1}' });
    return service.mcp(bot.credential, text, { ...eraHeaders(era, "tools/call", "slow__echo"), accept });
  };

  for (const era of ["modern", "legacy"] as const) {
    it(`sends comments to a ${era} caller that accepts events, then the result`, async () => {
      const { headers, text } = await call(era, "application/json, text/event-stream");
      assert.equal(headers["content-type"], "text/event-stream", text);
      assert.ok(text.split(": alive\n\n").length - 1 >= 2, text);
      const [result, ...rest] = eventsOf(text.replaceAll(": alive\n\n", "")).map((event) => JSON.parse(event));
      assert.deepEqual([result.id, result.result.structuredContent, rest], [7, { a: 1 }, []]);
    });
  }

  it("sends plain JSON to a caller that does not accept events", async () => {
    const { headers, body } = await call("legacy", "application/json");
    assert.equal(headers["content-type"], "application/json");
    assert.deepEqual(body.result.structuredContent, { a: 1 });
  });
});
