import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { EgressRequest } from "#egress/egress";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { testClock } from "#test/clock";
import type { FinishedSpan } from "../ports.ts";
import { OtlpTracer } from "./otlp-tracer.ts";

const SPAN: FinishedSpan = {
  traceId: "a".repeat(32),
  spanId: "b".repeat(16),
  parentSpanId: undefined,
  state: undefined,
  kind: "server",
  name: "tools/call echo__echo",
  startedAt: 1_700_000_000_000.25,
  endedAt: 1_700_000_000_001,
  attributes: [
    ["mcp.method.name", "tools/call"],
    ["server.port", 443],
  ],
  error: "It broke",
};

describe("OTLP tracer", () => {
  let sent: EgressRequest[];
  let answer: () => { status: number; body?: string };
  let lines: string[];
  let tracer: OtlpTracer;
  beforeEach(() => {
    sent = [];
    lines = [];
    answer = () => ({ status: 200 });
    tracer = new OtlpTracer({
      url: "http://collector:4318/v1/traces",
      headers: { "x-api-key": "secret" },
      timeoutMs: 1_000,
      resource: { attributes: { "service.name": "gatehouse" }, version: "1" },
      sample: () => true,
      clock: testClock(),
      logger: createLogger("debug", { write: (line) => void lines.push(line) }),
      random: systemRandom,
      request: async (request) => {
        sent.push(request);
        const { status, body = "{}" } = answer();
        return { status, headers: {}, body: Buffer.from(body), url: String(request.url) };
      },
    });
  });
  const counts = () => [tracer.exported, tracer.dropped];

  it("sends OTLP as JSON", async () => {
    tracer.finished(SPAN);
    await tracer.flush();
    const [{ method, url, headers, body }] = sent as [EgressRequest]; // one was sent
    assert.deepEqual([method, url], ["POST", "http://collector:4318/v1/traces"]);
    assert.deepEqual([headers?.["content-type"], headers?.["x-api-key"]], ["application/json", "secret"]);
    assert.deepEqual(JSON.parse(String(body)), {
      resourceSpans: [
        {
          resource: { attributes: [{ key: "service.name", value: { stringValue: "gatehouse" } }] },
          scopeSpans: [
            {
              scope: { name: "gatehouse", version: "1" },
              spans: [
                {
                  traceId: SPAN.traceId,
                  spanId: SPAN.spanId,
                  name: "tools/call echo__echo",
                  kind: 2,
                  startTimeUnixNano: "1700000000000250000",
                  endTimeUnixNano: "1700000000001000000",
                  attributes: [
                    { key: "mcp.method.name", value: { stringValue: "tools/call" } },
                    { key: "server.port", value: { intValue: "443" } },
                  ],
                  status: { code: 2, message: "It broke" },
                },
              ],
            },
          ],
        },
      ],
    });
    assert.deepEqual(counts(), [1, 0]);
  });

  it("buffers spans up to a limit while the collector is unreachable, logs once, and counts dropped spans", async () => {
    const unreachable = () => {
      throw new Error("connection refused");
    };
    answer = unreachable;
    for (let n = 0; n < 8_200; n++) tracer.finished(SPAN);
    await tracer.flush();
    answer = () => ({ status: 503 });
    await tracer.flush();
    assert.deepEqual(counts(), [0, 8]);
    assert.equal(lines.length, 1);
    answer = () => ({ status: 200 });
    await tracer.flush();
    assert.deepEqual(counts(), [8_192, 8]);
    assert.equal(sent.length, 2 + 16);
    answer = unreachable;
    tracer.finished(SPAN);
    await tracer.close();
    tracer.finished(SPAN);
    assert.deepEqual(counts(), [8_192, 10]);
  });

  it("does not resend rejected spans", async () => {
    answer = () => ({ status: 400 });
    tracer.finished(SPAN);
    await tracer.flush();
    answer = () => ({ status: 200, body: '{"partialSuccess":{"rejectedSpans":"1"}}' });
    tracer.finished(SPAN);
    tracer.finished(SPAN);
    await tracer.flush();
    assert.deepEqual([sent.length, ...counts()], [2, 1, 2]);
    assert.ok(!lines.join("").includes("secret"));
  });
});
