import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { after, before, describe, it } from "node:test";
import fc from "fast-check";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { type CallerEra, callText, eraHeaders, requestText } from "#test/mcp-messages";
import { seedFor } from "#test/seed";
import { type HttpAnswer, type Service, startService } from "#test/start-service";
import { until } from "#test/upstreams/caller";
import { type Fault, startFaultProxy } from "#test/upstreams/fault-proxy";
import { HOSTILE_ANSWERS, SECRET } from "#test/upstreams/hostile-answers";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const MIB = 1 << 20;
const METHODS = [
  { method: "tools/call", members: ['"name":"hostile__echo"', '"arguments":{}'], name: "hostile__echo" },
  { method: "prompts/get", members: ['"name":"hostile__greet"'], name: "hostile__greet" },
  { method: "resources/read", members: ['"uri":"x:1"'], name: "x:1" },
] as const;
const ANSWER_HEADERS = ["connection", "content-length", "content-type", "date", "keep-alive", "x-request-id"];

/** Behavior does not depend on the database, so one is enough. */
describe("hostile upstream", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let upstream: RawUpstream;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    bot = await createMachineUser(service, "bot");
    upstream = await startRawUpstream({
      prompts: [{ name: "greet" }],
      resources: { list: [{ uri: "x:1", name: "x" }] },
    });
    await createSyncedServer(service, "hostile", upstream.url);
    await createGroup(service, "bots", { slugs: ["hostile"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  const send = (era: CallerEra, { method, members, name }: (typeof METHODS)[number]) =>
    service.mcp(bot.credential, requestText(era, method, members), eraHeaders(era, method, name));

  /** GW-22: errors reveal nothing of the upstream's response or location. */
  function assertNoLeak(text: string): void {
    for (const private_ of [SECRET, new URL(upstream.url).host, "127.0.0.1", "node:", ".ts:"]) {
      assert.equal(text.includes(private_), false, `${private_} in ${text}`);
    }
  }

  async function assertUpstreamFailed(answer: HttpAnswer, error: RegExp): Promise<void> {
    assert.equal(answer.status, 200, answer.text);
    const { code, message, data } = answer.body.error;
    assert.equal(code, -32603);
    assert.match(/^Server "hostile" (.*)$/.exec(message)?.[1] ?? message, error);
    const records = (await service.api("GET", "/api/logs?limit=5&server=hostile")).body.data;
    const own = records.filter((record: { request_id: string }) => record.request_id === data.requestId);
    assert.deepEqual([own.length, own[0]?.outcome], [1, "upstream_failed"]);
    assertNoLeak(JSON.stringify(own));
  }

  for (const target of METHODS) {
    for (const era of ["modern", "legacy"] as const) {
      describe(`that answers ${target.method} of a ${era} caller with`, () => {
        for (const { what, answer: raw, error } of HOSTILE_ANSWERS) {
          it(`${what}: ${error ? "returns one clear error and logs one record" : "forwards the result"}, and serves the next call`, async () => {
            const sent = upstream.count(target.method);
            upstream.behave = (seen) => (seen.method === target.method ? { raw } : "json");
            const answer = await send(era, target).finally(() => {
              upstream.behave = () => "json";
            });
            assert.equal(upstream.count(target.method), sent + 1, "sent once (GW-14)");
            const next = await send(era, target);
            assertNoLeak(answer.text + JSON.stringify(answer.headers));
            if (error) await assertUpstreamFailed(answer, error);
            else assert.ok(answer.body.result, answer.text);
            assert.deepEqual(
              Object.keys(answer.headers).filter((name) => !ANSWER_HEADERS.includes(name)),
              [],
            );
            assert.ok(next.body.result, next.text);
          });
        }
      });
    }
  }

  describe("that answers the sync of its tools with", () => {
    const sync = () => service.api("POST", "/api/mcp-servers/hostile/sync");
    for (const { what, answer: raw, error } of HOSTILE_ANSWERS) {
      it(`${what}: ${error ? "reports one clear error" : "syncs the list"}, and the next sync succeeds`, async () => {
        upstream.behave = (seen) => (seen.method === "tools/list" ? { raw } : "json");
        const answer = await sync().finally(() => {
          upstream.behave = () => "json";
        });
        assertNoLeak(answer.text);
        const syncError: string | null = answer.body.data.sync_error;
        if (error) assert.match(/^Server "hostile" (.*)$/.exec(syncError ?? "")?.[1] ?? String(syncError), error);
        else assert.equal(syncError, null);
        assert.equal((await sync()).body.data.sync_error, null);
      });
    }
  });

  it("that disconnects at any point executes a call at most once, and the caller gets one response (GW-14)", async (test) => {
    const proxy = await startFaultProxy(upstream.origin);
    try {
      await createSyncedServer(service, "broken", `${proxy.origin}/mcp`);
      await service.api("POST", "/api/groups/bots/integrations", { slugs: ["broken"] });
      const call = (era: CallerEra) => {
        const text = callText({ era, id: "1", tool: "broken__echo", arguments: "{}" });
        return service.mcp(bot.credential, text, eraHeaders(era, "tools/call", "broken__echo"));
      };
      const fault: fc.Arbitrary<Fault> = fc.record({
        request: fc.constant('"tools/call"'),
        after: fc.oneof(fc.constant("request" as const), fc.nat(450)),
        how: fc.constantFrom("reset", "close"),
      });
      const property = fc.asyncProperty(fault, fc.constantFrom("modern", "legacy"), async (injected, era) => {
        const executed = upstream.count("tools/call");
        proxy.fault = injected;
        const answer = await call(era);
        proxy.fault = undefined;
        assert.ok(upstream.count("tools/call") - executed <= 1);
        const whole = answer.body.result !== undefined;
        if (!whole)
          assert.match(answer.body.error.message, /^Server "broken" closed the connection before its response/);
        // A pause after many consecutive failures would hide the next fault.
        assert.ok((await call(era)).body.result);
      });
      await fc.assert(property, { numRuns: 100, seed: seedFor(test) });
    } finally {
      await proxy.close();
    }
  });

  it("that floods callers who do not read is read no faster than they read (GW-10)", async () => {
    const callers: Socket[] = [];
    const streams: Socket[] = [];
    upstream.behave = (seen) => {
      if (seen.method !== "tools/call") return "json";
      const params = `{"progressToken":${seen.id},"progress":1,"message":"${"x".repeat(64 << 10)}"}`;
      const progress = `data: {"jsonrpc":"2.0","method":"notifications/progress","params":${params}}\n\n`;
      return { raw: (socket) => flood(socket, Buffer.from(progress), streams) };
    };
    try {
      const { hostname, port, host } = new URL(service.url);
      const text = callText({ era: "legacy", id: "1", tool: "hostile__echo", arguments: "{}", progressToken: '"p"' });
      const lines = ["POST /mcp HTTP/1.1", `host: ${host}`, `authorization: Bearer ${bot.credential}`];
      const more = ["content-type: application/json", "accept: application/json, text/event-stream"];
      for (let n = 0; n < 20; n++) {
        const caller = connect({ host: hostname, port: Number(port) });
        callers.push(caller.pause().on("error", () => {}));
        await once(caller, "connect");
        caller.write([...lines, ...more, `content-length: ${text.length}`, "", text].join("\r\n"));
      }
      await until(() => streams.length === 20 && streams.every((stream) => stream.writableNeedDrain));
      // A generous bound for socket buffers. A gateway that buffered the rest in memory would read without end.
      const flowed = () => streams.reduce((sum, stream) => sum + stream.bytesWritten - stream.writableLength, 0);
      for (let at = -1; at !== flowed(); await new Promise((resolve) => setTimeout(resolve, 100))) {
        at = flowed();
        assert.ok(at < 20 * 32 * MIB, `${at} bytes were read from the upstream`);
      }
    } finally {
      upstream.behave = () => "json";
      for (const caller of callers) caller.destroy();
    }
    await until(() => streams.every((stream) => stream.destroyed));
  });

  it("that does not exist is reported without revealing its URL", async () => {
    await createServer(service, "absent", "http://127.0.0.1:1/mcp");
    assertNoLeak((await service.api("POST", "/api/mcp-servers/absent/sync")).body.data.sync_error);
  });
});

function flood(socket: Socket, again: Buffer, streams: Socket[]): void {
  streams.push(socket);
  const more = () => {
    while (socket.writable && socket.write(again));
  };
  socket.on("drain", more);
  socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n");
  more();
}
