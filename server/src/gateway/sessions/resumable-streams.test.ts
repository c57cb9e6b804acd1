import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { testClock } from "#test/clock";
import { MCP_2025_06_18, MCP_2025_11_25 } from "#test/gateway-kit";
import type { EventStream, Exchange } from "../exchange.ts";
import type { ResumableStream } from "./resumable-stream.ts";
import { ResumableStreams } from "./resumable-streams.ts";
import type { McpSession } from "./sessions.ts";

const MIB = 1024 * 1024;
const sessionOf = (userId: string, version = MCP_2025_11_25) =>
  ({ id: `session of ${userId}`, userId, version, capabilities: [] }) as unknown as McpSession; // only these are read here

/** A connection that records what arrives and that the test can break. */
function connection() {
  const arrived: string[] = [];
  let over = () => {};
  const stream: EventStream = {
    send: (message, id) => arrived.push(`${id?.split("_")[1]} ${message.subarray(0, 20)}`) > 0,
    onDrain: () => {},
    begin: (id) => void arrived.push(`begin ${id?.split("_")[1]}`),
    comment: () => void arrived.push("alive"),
    end: () => {
      arrived.push("end");
      over();
    },
  };
  const onOver = (listener: () => void) => {
    over = listener;
  };
  const exchange = { openStream: () => stream, onOver } as unknown as Exchange; // nothing else is used
  return { arrived, exchange, breakOff: () => over() };
}

function setUp() {
  const clock = testClock();
  let made = 0;
  const streams = new ResumableStreams({ clock, newStreamId: () => `stream${"0".repeat(20)}${++made}`, alone: true });
  const lost: string[] = [];
  const open = (userId: string) => {
    const first = connection();
    const stream = streams.open(first.exchange, sessionOf(userId), () => void lost.push(userId));
    assert.ok(stream);
    return { ...first, stream };
  };
  const replayed = (stream: ResumableStream, after = 0) => {
    const next = connection();
    const found = streams.resume(next.exchange, stream.session, `${stream.id}_${after}`);
    return found ? next.arrived : undefined;
  };
  return { clock, streams, lost, open, replayed };
}

describe("ResumableStreams", () => {
  it("buffers the newest events of a stream, and the response whatever its size", () => {
    const { open, replayed } = setUp();
    const { stream, breakOff } = open("u");
    breakOff();
    for (let n = 1; n <= 300; n++) stream.send(Buffer.from(`step ${n}`));
    assert.deepEqual(replayed(stream)?.slice(0, 2), ["begin 0", "45 step 45"]);
    stream.send(Buffer.alloc(8 * MIB, "x"));
    stream.end();
    assert.deepEqual(replayed(stream), ["begin 0", `301 ${"x".repeat(20)}`, "end"]);
  });

  it("drops the oldest complete response of the same user for a new one, and none in progress", () => {
    const { open, replayed, lost } = setUp();
    const answers = Array.from({ length: 5 }, () => open("u"));
    const foreign = open("somebody");
    for (const { stream, breakOff } of [...answers, foreign]) {
      stream.send(Buffer.alloc(10 * MIB));
      breakOff();
      stream.end();
    }
    assert.deepEqual(
      answers.map(({ stream }) => replayed(stream) !== undefined),
      [false, false, true, true, true],
    );
    assert.ok(replayed(foreign.stream));
    const busy = Array.from({ length: 4 }, () => open("u"));
    for (const { stream } of busy) stream.send(Buffer.alloc(10 * MIB));
    assert.deepEqual(
      busy.map(({ stream }) => stream.kept),
      [true, true, true, false],
    );
    assert.deepEqual(lost, []);
    busy[3]?.breakOff();
    assert.deepEqual(lost, ["u"]);
  });

  it("reports a call as lost when no one resumed for five minutes, and drops its events", () => {
    const { clock, open, replayed, lost } = setUp();
    const { stream, breakOff } = open("u");
    stream.send(Buffer.from("one"));
    breakOff();
    clock.advance(4 * 60_000);
    assert.deepEqual(replayed(stream), ["begin 0", "1 one"]);
    clock.advance(60 * 60_000);
    assert.deepEqual(lost, [], "a connection reads it");
    const second = open("v");
    second.breakOff();
    clock.advance(6 * 60_000);
    assert.deepEqual([lost, replayed(second.stream)], [["v"], undefined]);
  });

  it("sends comments while no event is sent", () => {
    const { clock, open } = setUp();
    const { arrived, stream } = open("u");
    clock.advance(30_000);
    stream.end();
    clock.advance(30_000);
    assert.deepEqual(arrived, ["begin 0", "alive", "alive", "end"]);
  });

  it("limits the streams per user, and opens none for earlier versions", () => {
    const { streams, open } = setUp();
    const { exchange } = connection();
    assert.equal(
      streams.open(exchange, sessionOf("u", MCP_2025_06_18), () => {}),
      undefined,
    );
    const mine = Array.from({ length: 256 }, () => open("u"));
    assert.equal(
      streams.open(exchange, sessionOf("u"), () => {}),
      undefined,
    );
    mine[100]?.stream.end();
    assert.ok(streams.open(exchange, sessionOf("u"), () => {}));
  });

  it("rejects unknown event ids", () => {
    const { streams, open } = setUp();
    const { stream } = open("u");
    for (const id of ["", "x", stream.id, `${stream.id}_`, `${stream.id}_x`, `${stream.id}_-1`, `${stream.id}x_0`])
      assert.equal(streams.resume(connection().exchange, stream.session, id), false, id);
  });
});
