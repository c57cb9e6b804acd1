import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { eventsOf } from "#test/gateway-kit";
import { idText, nestedText, objectText } from "#test/json-texts";
import { type CallerEra, callText, eraHeaders } from "#test/mcp-messages";
import { seedFor } from "#test/seed";
import { type Service, startService } from "#test/start-service";
import { type Eras, type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { objectMembers, rawElements, rawMembers } from "#test/upstreams/raw-json";

const RUNS = 150;
/** The arguments are nested two levels deep in a request (message and `params`), and so is the result. */
const DEEPEST_ARGUMENTS = 64 - 2;

const UPSTREAMS: readonly { eras: Eras; sessions: boolean }[] = [
  { eras: "both", sessions: false },
  { eras: "modern", sessions: false },
  { eras: "legacy", sessions: true },
];
const CALLERS: readonly CallerEra[] = ["legacy", "modern"];

/** Every combination of caller and upstream era. Behavior does not depend on the database, so one is enough. */
describe("messages through the gateway", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  const upstreams = new Map<Eras, RawUpstream>();

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    bot = await createMachineUser(service, "bot");
    for (const { eras, sessions } of UPSTREAMS) {
      const upstream = await startRawUpstream({ eras, sessions });
      upstreams.set(eras, upstream);
      await createSyncedServer(service, eras, upstream.url);
    }
    await createGroup(service, "bots", { slugs: [...upstreams.keys()], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    for (const upstream of upstreams.values()) await upstream.close();
    await database?.close();
  });

  /** Calls `echo` and returns the arguments that the upstream received and the result that the caller received. */
  async function roundTrip(route: { era: CallerEra; eras: Eras; sse: boolean }, args: string, id = "1") {
    const upstream = upstreams.get(route.eras);
    assert.ok(upstream);
    upstream.behave = (seen) => (route.sse && seen.method === "tools/call" ? "sse" : "json");
    upstream.seen.length = 0;
    const tool = `${route.eras}__echo`;
    const text = callText({ era: route.era, id, tool, arguments: args });
    const answer = await service.mcp(bot.credential, text, eraHeaders(route.era, "tools/call", tool));
    assert.equal(answer.status, 200, answer.text);
    const message = membersOf(answer.text);
    const seen = upstream.seen.findLast((request) => request.method === "tools/call");
    return {
      seenEra: seen?.era,
      arrived: utf8(objectMembers(rawMembers(seen?.body.toString("latin1") ?? "").get("params")).get("arguments")),
      returned: utf8(objectMembers(message.get("result")).get("structuredContent")),
      id: utf8(message.get("id")),
      text: answer.text,
    };
  }

  for (const era of CALLERS) {
    for (const { eras } of UPSTREAMS) {
      for (const sse of [false, true]) {
        const route = { era, eras, sse };
        const label = `a ${era} caller, an upstream that speaks ${eras}, ${sse ? "events" : "JSON"}`;

        it(`preserve every byte of arguments and result: ${label} (GW-20)`, async (test) => {
          const property = fc.asyncProperty(objectText({ lineEnds: !sse }), async (args) => {
            const trip = await roundTrip(route, args);
            assert.deepEqual([trip.arrived, trip.returned], [args, args]);
            assert.equal(trip.seenEra, eras === "both" ? era : eras);
          });
          await fc.assert(property, { numRuns: RUNS, seed: seedFor(test) });
        });
      }
    }
  }

  it("preserve an id of any type and size (GW-3)", async (test) => {
    const route = fc.record({
      era: fc.constantFrom(...CALLERS),
      eras: fc.constantFrom<Eras>("both", "modern", "legacy"),
    });
    const property = fc.asyncProperty(route, fc.boolean(), idText, async (eras, sse, id) => {
      assert.equal((await roundTrip({ ...eras, sse }, "{}", id)).id, id);
    });
    await fc.assert(property, { numRuns: 300, seed: seedFor(test) });
  });

  it("preserve the id of a rejected call, a ping, and a list", async (test) => {
    const property = fc.asyncProperty(idText, async (id) => {
      const refused = await service.mcp(bot.credential, callText({ era: "legacy", id, tool: "nowhere__echo" }));
      const others = ["ping", "tools/list", "initialize", "no/such"].map((method) =>
        service.mcp(bot.credential, `{"jsonrpc":"2.0","id":${id},"method":"${method}"}`),
      );
      for (const answer of [refused, ...(await Promise.all(others))]) {
        assert.equal(utf8(membersOf(answer.text).get("id")), id, answer.text);
      }
    });
    await fc.assert(property, { numRuns: 50, seed: seedFor(test) });
  });

  it("preserve the ids in a batch, in the order of its requests", async (test) => {
    const property = fc.asyncProperty(fc.array(idText, { minLength: 1, maxLength: 20 }), async (ids) => {
      const calls = ids.map((id, at) => {
        const tool = `${UPSTREAMS[at % UPSTREAMS.length]?.eras}__echo`;
        return at % 4 === 3 ? `{"jsonrpc":"2.0","id":${id},"method":"ping"}` : callText({ era: "legacy", id, tool });
      });
      const answer = await service.mcp(bot.credential, `[${calls.join(",")}]`);
      const answered = rawElements(Buffer.from(answer.text, "utf8").toString("latin1")).map((one) => rawMembers(one));
      assert.deepEqual(
        answered.map((members) => utf8(members.get("id"))),
        ids,
        answer.text,
      );
    });
    await fc.assert(property, { numRuns: 50, seed: seedFor(test) });
  });

  it("preserve a progress token of any type and size", async (test) => {
    const upstream = upstreams.get("both");
    assert.ok(upstream);
    const property = fc.asyncProperty(fc.constantFrom(...CALLERS), idText, async (era, progressToken) => {
      upstream.behave = () => "sse-progress";
      const text = callText({ era, id: "7", tool: "both__echo", arguments: "{}", progressToken });
      const answer = await service.mcp(bot.credential, text, eraHeaders(era, "tools/call", "both__echo"));
      const events = eventsOf(answer.text).map(membersOf);
      const tokens = events.slice(0, -1).map((event) => utf8(objectMembers(event.get("params")).get("progressToken")));
      assert.deepEqual(tokens, [progressToken, progressToken], answer.text);
    });
    await fc.assert(property, { numRuns: 100, seed: seedFor(test) });
  });

  it("may have arguments and results as deep as the limit", async () => {
    const args = nestedText(DEEPEST_ARGUMENTS);
    for (const era of CALLERS) {
      const trip = await roundTrip({ era, eras: "both", sse: false }, args);
      assert.deepEqual([trip.arrived, trip.returned], [args, args]);
    }
  });

  it("may arrive in many chunks: three megabytes, split anywhere", async () => {
    const args = `{"text":"${"äöü🙂".repeat(300_000)}","big":9007199254740993}`;
    const trip = await roundTrip({ era: "legacy", eras: "both", sse: false }, args);
    assert.ok(trip.arrived === args && trip.returned === args);
  });
});

/** Members of a message as latin1 text of their bytes. */
function membersOf(text: string) {
  return rawMembers(Buffer.from(text, "utf8").toString("latin1"));
}

function utf8(latin1: string | undefined): string | undefined {
  return latin1 && Buffer.from(latin1, "latin1").toString("utf8");
}
