import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, systemClock } from "#lib/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, eventsOf, readEvents } from "#test/gateway-kit";
import { type CallerEra, callText, eraHeaders } from "#test/mcp-messages";
import { type HttpAnswer, type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

let skippedMs = 0;
/** Timers run at the normal speed, so that a slow machine causes no timeouts. */
const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + skippedMs };
const CALL = { id: "7", tool: "slow__echo", arguments: '{"a":1}' };

/** Behavior does not depend on the database, so one is enough. */
describe("a server that takes 40 s to respond", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let upstream: RawUpstream;
  const responding = Promise.withResolvers<void>();
  const events = new Map<CallerEra, EventReader>();
  let plain: HttpAnswer;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database, { clock });
    bot = await createMachineUser(service, "bot");
    upstream = await startRawUpstream({
      gate: ({ method }) => (method === "tools/call" ? responding.promise : undefined),
    });
    await createSyncedServer(service, "slow", upstream.url);
    await createGroup(service, "bots", { slugs: ["slow"], emails: [bot.email] });
    await makeCalls();
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  async function makeCalls(): Promise<void> {
    const eras = ["modern", "legacy"] as const;
    const opening = eras.map((era) => readEvents(`${service.url}/mcp`, eventRequest(era)));
    const waiting = service.mcp(bot.credential, callText({ era: "legacy", ...CALL }), { accept: "application/json" });
    while (upstream.count("tools/call") < 3) await sleep(5);
    skippedMs += 20_000;
    for (const [n, stream] of (await Promise.all(opening)).entries()) events.set(eras[n] ?? "legacy", stream);
    skippedMs += 20_000;
    for (const stream of events.values()) await stream.until(/: alive[\s\S]*: alive/);
    responding.resolve();
    plain = await waiting;
    for (const stream of events.values()) await stream.ended;
  }
  const eventRequest = (era: CallerEra) => ({
    method: "POST",
    headers: {
      ...{ authorization: `Bearer ${bot.credential}`, "content-type": "application/json" },
      ...{ accept: "application/json, text/event-stream", ...eraHeaders(era, "tools/call", CALL.tool) },
    },
    body: callText({ era, ...CALL }),
  });

  for (const era of ["modern", "legacy"] as const) {
    it(`sends comments to a ${era} caller that accepts events, then the result`, () => {
      const text = events.get(era)?.text ?? "";
      const [result, ...rest] = eventsOf(text.replaceAll(": alive\n\n", "")).map((event) => JSON.parse(event));
      assert.deepEqual([result.id, result.result.structuredContent, rest], [7, { a: 1 }, []]);
    });
  }

  it("sends plain JSON to a caller that does not accept events", () => {
    assert.equal(plain.headers["content-type"], "application/json");
    assert.deepEqual(plain.body.result.structuredContent, { a: 1 });
  });
});
