import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

/** More than the buffers of the connections hold. */
const BYTES = 12 << 20;
const CALLS = 4;
/** A caller may hold a quarter of it: one response. */
const MEMORY_BYTES = 64 << 20;
const MAX_READ = 1;
/** Those of two servers are more than half of that share, as they are found. */
const WIDE_TOOLS = Array.from({ length: 15 }, (_, n) => ({
  name: `report_${n}`,
  inputSchema: { type: "object", description: "x".repeat(200_000) },
}));
const BIG = callText({ era: "legacy", id: "1", tool: "big__echo", arguments: "{}" });
const SMALL = callText({ era: "legacy", id: "1", tool: "small__echo", arguments: "{}" });

/** Behavior does not depend on the database, so one is enough. */
describe("large responses that their caller does not read (GW-10)", () => {
  let database: TestDatabase;
  let service: Service;
  let greedy: MachineUser;
  let other: MachineUser;
  let big: RawUpstream;
  let small: RawUpstream;
  let wide: RawUpstream;
  let framing: "json" | "sse";

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database, { responseMemoryBytes: MEMORY_BYTES, inFlightBytes: MEMORY_BYTES });
    greedy = await createMachineUser(service, "greedy");
    other = await createMachineUser(service, "other");
    const text = "x".repeat(BYTES);
    big = await startRawUpstream({
      behave: ({ method, id }) => {
        if (method !== "tools/call") return "json";
        const result = `{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"text","text":"${text}"}]}}`;
        if (framing === "json") return { status: 200, body: result };
        return { status: 200, body: `data: ${result}\n\n`, headers: { "content-type": "text/event-stream" } };
      },
    });
    small = await startRawUpstream();
    wide = await startRawUpstream({ tools: WIDE_TOOLS });
    await createSyncedServer(service, "big", big.url);
    await createSyncedServer(service, "small", small.url);
    for (const name of ["wide", "wider"]) await createSyncedServer(service, name, wide.url);
    await createGroup(service, "bots", {
      slugs: ["big", "small", "wide", "wider"],
      emails: [greedy.email, other.email],
    });
  });
  after(async () => {
    await service?.close();
    await big?.close();
    await small?.close();
    await wide?.close();
    await database?.close();
  });

  const callWithoutReading = () => sendWithoutReading("/mcp", BIG);

  async function sendWithoutReading(target: string, body: string): Promise<Socket> {
    const { hostname, port, host } = new URL(service.url);
    const socket = connect(Number(port), hostname).pause();
    await once(socket, "connect");
    const headers = `host: ${host}\r\nauthorization: Bearer ${greedy.credential}\r\ncontent-type: application/json`;
    socket.write(`POST ${target} HTTP/1.1\r\n${headers}\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
    return socket;
  }

  /** The next request can arrive on an open connection before this one. Then this one is refused, and sent again. */
  async function sendAheadOf(next: () => Promise<number>, target: string, body: string): Promise<Socket> {
    for (;;) {
      const unread = await sendWithoutReading(target, body);
      await service.mcp(other.credential, SMALL);
      if ((await next()) === 429) return unread;
      unread.destroy();
    }
  }

  for (const each of ["json", "sse"] as const) {
    it(`are not read from the upstream beyond the limit (${each}), while others are served`, async () => {
      framing = each;
      big.seen.length = 0;
      const sockets = await Promise.all(Array.from({ length: CALLS }, callWithoutReading));
      const calls = () => big.seen.filter(({ method }) => method === "tools/call");
      const read = () => calls().filter(({ answered }) => answered).length;
      while (calls().length < CALLS || read() === 0) await sleep(10);
      for (let n = 0; n < 100; n++) assert.equal((await service.mcp(other.credential, SMALL)).status, 200);
      assert.ok(read() <= MAX_READ, `${read()} of ${CALLS} responses were read`);
      // The memory of other callers is not affected.
      assert.equal((await service.mcp(other.credential, BIG)).text.length > BYTES, true);
      for (const socket of sockets) socket.destroy();
      while (calls().filter(({ aborted }) => aborted).length < CALLS - MAX_READ) await sleep(10);
      assert.equal((await service.mcp(greedy.credential, BIG)).text.length > BYTES, true);
    });
  }

  it("count as well if Gatehouse answers itself", async () => {
    const args = JSON.stringify({ query: "report", limit: 2 * WIDE_TOOLS.length });
    const body = callText({ era: "legacy", id: "1", tool: "gatehouse__find_tools", arguments: args });
    const target = "/mcp?tools=search";
    const find = async ({ credential }: MachineUser) => {
      const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
      return (await service.http(target, { method: "POST", headers, body })).status;
    };
    assert.equal(await find(greedy), 200);
    const unread = await sendAheadOf(() => find(greedy), target, body);
    assert.equal(await find(other), 200);
    unread.destroy();
    while ((await find(greedy)) !== 200) await sleep(10);
  });

  it("are all delivered when their caller reads them", async () => {
    const answers = await Promise.all(Array.from({ length: CALLS }, () => service.mcp(greedy.credential, BIG)));
    for (const { text } of answers) assert.ok(text.length > BYTES && text.startsWith('{"jsonrpc":"2.0","id":1,'));
  });
});
