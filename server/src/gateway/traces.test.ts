import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { readTraceSettings } from "#config/trace-settings";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { MCP_2026_07_28, MODERN_META } from "#test/gateway-kit";
import { eraHeaders } from "#test/mcp-messages";
import { type OwnService, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

interface Span {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly { key: string; value: { stringValue?: string; intValue?: string } }[];
  readonly status?: { code: number; message: string };
}

describe("trace context", () => {
  let database: TestDatabase;
  let service: OwnService;
  let upstreams: RawUpstream[];
  let bot: MachineUser;
  let collector: Server | undefined;
  const spans: Span[] = [];
  const exportRequests: IncomingMessage[] = [];

  async function start(env: Record<string, string>): Promise<void> {
    database = await openTestSqlite();
    isRunning = true;
    const get = (name: string) => env[name];
    service = await startService(database, { config: { traces: readTraceSettings(get, get), metricsPort: 0 } });
    upstreams = [await startRawUpstream({ eras: "legacy" }), await startRawUpstream({ eras: "modern" })];
    const [legacy, modern] = upstreams as [RawUpstream, RawUpstream];
    const slugs = [
      await createSyncedServer(service, "Legacy", legacy.url),
      await createSyncedServer(service, "Modern", modern.url),
    ];
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs, emails: [bot.email] });
  }
  let isRunning = false;
  async function stop(): Promise<void> {
    if (!isRunning) return;
    isRunning = false;
    await service.close();
    for (const upstream of upstreams) await upstream.close();
    await database.close();
    collector?.close();
  }

  /** Makes a call, and returns what the upstream received and what was logged. */
  async function call(
    slug: "legacy" | "modern",
    { era = "legacy" as "legacy" | "modern", meta = {}, headers = {}, tool = "echo" },
  ) {
    const name = `${slug}__${tool}`;
    const _meta = era === "modern" ? { ...MODERN_META, ...meta } : meta;
    const params = { name, arguments: { a: 1 }, ...(Object.keys(_meta).length > 0 && { _meta }) };
    const message = { jsonrpc: "2.0", id: 7, method: "tools/call", params };
    const answer = await service.mcp(bot.credential, message, { ...eraHeaders(era, "tools/call", name), ...headers });
    assert.equal(answer.status, 200, answer.text);
    const seen = upstreams[slug === "legacy" ? 0 : 1]?.seen.findLast(({ method }) => method === "tools/call");
    const body = JSON.parse(String(seen?.body ?? "{}"));
    const logged = await service.api("GET", `/api/logs?request_id=${answer.headers["x-request-id"]}`);
    return {
      parent: seen?.headers.traceparent,
      state: seen?.headers.tracestate,
      meta: body.params?._meta,
      arguments: body.params?.arguments,
      traceId: logged.body.data[0].trace_id,
      requestId: answer.headers["x-request-id"],
    };
  }

  describe("without an exporter", () => {
    before(() => start({}));
    after(stop);

    for (const slug of ["legacy", "modern"] as const) {
      for (const era of ["legacy", "modern"] as const) {
        it(`is passed from a ${era} caller to a ${slug} server in header and _meta, wherever it was received`, async () => {
          const expected = { parent: PARENT, state: "a=1", traceId: TRACE };
          for (const [given, of] of [
            [{ headers: { traceparent: PARENT, tracestate: "a=1" } }, "headers"],
            [{ meta: { traceparent: PARENT, tracestate: "a=1", mine: 1 } }, "_meta"],
            [
              {
                meta: { traceparent: PARENT, tracestate: "a=1" },
                headers: { traceparent: PARENT.replace("4b", "5b") },
              },
              "both",
            ],
          ] as const) {
            const seen = await call(slug, { era, ...given });
            const { parent, state, traceId } = seen;
            assert.deepEqual({ parent, state, traceId }, expected, of);
            assert.deepEqual([seen.meta.traceparent, seen.meta.tracestate], [PARENT, "a=1"], of);
            assert.deepEqual(seen.arguments, { a: 1 });
            if (of === "_meta") assert.equal(seen.meta.mine, 1);
          }
        });
      }
    }

    it("is not forwarded if invalid, and none is generated", async () => {
      const none = await call("legacy", {});
      assert.deepEqual([none.parent, none.meta, none.traceId], [undefined, undefined, null]);
      const bad = `00-${TRACE}-xyz-01`;
      const inHeader = await call("legacy", { headers: { traceparent: bad } });
      assert.deepEqual([inHeader.parent, inHeader.meta, inHeader.traceId], [undefined, undefined, null]);
      for (const traceparent of [bad, 1, { a: 1 }]) {
        const inMeta = await call("legacy", { meta: { traceparent, tracestate: "a=1", mine: 1 } });
        assert.deepEqual([inMeta.parent, inMeta.meta, inMeta.traceId], [undefined, { mine: 1 }, null]);
      }
      const halfBad = await call("legacy", { meta: { traceparent: PARENT, tracestate: "é" } });
      assert.deepEqual([halfBad.parent, halfBad.state, halfBad.meta], [PARENT, undefined, { traceparent: PARENT }]);
    });

    it("finds the calls of a trace in the log", async () => {
      const { requestId } = await call("modern", { headers: { traceparent: PARENT.replace(TRACE, "c".repeat(32)) } });
      const { body } = await service.api("GET", `/api/logs?trace_id=${"c".repeat(32)}`);
      assert.deepEqual(
        body.data.map((entry: { request_id: string }) => entry.request_id),
        [requestId],
      );
    });
  });

  describe("with an exporter", () => {
    before(async () => {
      collector = createServer((request, response) => {
        exportRequests.push(request);
        void text(request).then((body) => {
          for (const { scopeSpans } of JSON.parse(body).resourceSpans) spans.push(...scopeSpans[0].spans);
          response.end("{}");
        });
      });
      await new Promise<void>((resolve) => collector?.listen(0, "127.0.0.1", resolve));
      const { port } = collector.address() as AddressInfo; // a TCP server's address is never a path
      await start({
        OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
        OTEL_EXPORTER_OTLP_HEADERS: "x-key=a%20b",
      });
    });
    after(stop);

    it("records a server span and a client span, in the caller's trace or a new one", async () => {
      const traced = await call("modern", { era: "modern", meta: { traceparent: PARENT } });
      const own = await call("legacy", {});
      const denied = await call("legacy", { tool: "none" });
      const off = await call("legacy", { headers: { traceparent: PARENT.replace(/1$/, "0") } });
      await stop();

      assert.deepEqual([exportRequests[0]?.url, exportRequests[0]?.headers["x-key"]], ["/v1/traces", "a b"]);
      const named = (name: string, kind: number) => spans.filter((span) => span.name === name && span.kind === kind);
      const [server] = named("tools/call modern__echo", 2);
      const [client] = named("tools/call echo", 3).filter(({ traceId }) => traceId === TRACE);
      assert.ok(server && client);
      assert.deepEqual([server.traceId, server.parentSpanId], [TRACE, "00f067aa0ba902b7"]);
      assert.deepEqual([client.traceId, client.parentSpanId], [TRACE, server.spanId]);
      assert.equal(traced.parent, `00-${TRACE}-${client.spanId}-01`);
      assert.equal(traced.meta.traceparent, traced.parent);
      assert.equal(traced.traceId, TRACE);
      assert.ok(BigInt(server.startTimeUnixNano) <= BigInt(client.startTimeUnixNano));
      assert.ok(BigInt(client.startTimeUnixNano) <= BigInt(client.endTimeUnixNano));
      const attributes = Object.fromEntries(server.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
      assert.deepEqual(attributes, {
        "mcp.method.name": "tools/call",
        "gen_ai.tool.name": "modern__echo",
        "gen_ai.operation.name": "execute_tool",
        "gatehouse.server": "modern",
        "jsonrpc.request.id": "7",
        "user.id": bot.id,
        "gatehouse.request_id": traced.requestId,
        "network.transport": "tcp",
        "network.protocol.name": "http",
        "mcp.protocol.version": MCP_2026_07_28,
      });

      const [root] = named("tools/call legacy__echo", 2);
      assert.deepEqual([root?.traceId, root?.parentSpanId], [own.traceId, undefined]);
      assert.ok(own.parent?.includes(own.traceId));
      const failed = spans.filter(({ status }) => status);
      assert.deepEqual(
        failed.map(({ traceId, name, status }) => [traceId, name, status?.code]),
        [[denied.traceId, "tools/call", 2]],
      );
      assert.equal(off.parent, PARENT.replace(/1$/, "0"), "requests that the caller does not record are not recorded");
      assert.equal(spans.filter(({ traceId }) => traceId === TRACE).length, 2);
    });
  });
});
