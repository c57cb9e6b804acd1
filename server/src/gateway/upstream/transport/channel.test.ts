import assert from "node:assert/strict";
import { test } from "node:test";
import { type Clock, systemClock } from "#lib/clock";
import { createLogger } from "#lib/logger";
import { ReadPacer } from "#lib/read-pacer";
import { testClock } from "#test/clock";
import { MCP_2025_11_25 } from "#test/gateway-kit";
import { until } from "#test/upstreams/caller";
import { createMovingClock } from "#test/upstreams/moving-clock";
import { UpstreamFault } from "../failure.ts";
import { initializeChannel } from "../handshake/channel-handshake.ts";
import { Channel } from "./channel.ts";

function createChannel(clock: Clock, idleMs: number): Channel {
  return new Channel({ clock, logger: createLogger("silent"), idleMs, lane: new ReadPacer(clock).lane() });
}

test("reads large messages in turns, in the order of arrival, and before the end of the pipe (GW-12)", async () => {
  const channel = createChannel(systemClock, 60_000);
  const states: boolean[] = [];
  const setPaused = (isPaused: boolean) => void states.push(isPaused);
  channel.attach({ send: () => () => {}, close() {}, setPaused, diesOfSilence: false });
  const seen: string[] = [];
  const request = (id: number) =>
    channel.request(id, Buffer.from("{}"), {
      message: (message) => void seen.push(`${message.kind} ${id}`),
      fault: ({ kind }) => void seen.push(`${kind} ${id}`),
    });
  for (const id of [1, 2, 3, 4]) request(id);
  const result = (id: number, text: string) =>
    channel.received(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result: { text } })));
  result(1, "x".repeat(2 << 20));
  assert.deepEqual([seen, states], [[], [true]]);
  result(2, "small");
  result(3, "y".repeat(1 << 20));
  channel.ended(new UpstreamFault("unreachable", "closed its event stream before it responded"));
  assert.equal(channel.isOpen, true);
  await until(() => seen.length === 4);
  assert.deepEqual(seen, ["result 1", "result 2", "result 3", "unreachable 4"]);
  assert.deepEqual(states, [true, true, false]);
  assert.equal(channel.isOpen, false);
});

test("drops a large message if the channel is closed while it is read", async () => {
  const channel = createChannel(systemClock, 60_000);
  channel.attach({ send: () => () => {}, close() {}, diesOfSilence: false });
  const seen: string[] = [];
  channel.request(1, Buffer.from("{}"), {
    message: ({ kind }) => void seen.push(kind),
    fault: ({ kind }) => void seen.push(kind),
  });
  channel.received(Buffer.from(`{"jsonrpc":"2.0","id":1,"result":{"text":"${"x".repeat(2 << 20)}"}}`));
  channel.close();
  await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(seen, ["cancelled"]);
});

test("limits the pending replies to an upstream that sends requests endlessly (GW-10)", async () => {
  const channel = createChannel(testClock(), 1000);
  const taken: (() => void)[] = [];
  const send = (_message: Buffer, done: (fault: undefined) => void) => {
    taken.push(() => done(undefined));
    return () => {};
  };
  channel.attach({ send, close() {}, diesOfSilence: true });
  const ping = () => channel.received(Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}'));
  for (let n = 0; n < 1000; n++) ping();
  assert.equal(taken.length, 16);
  for (const take of taken.splice(0)) take();
  await new Promise(setImmediate);
  ping();
  assert.equal(taken.length, 1);
});

test("applies one deadline to the whole handshake, also when the upstream stops reading", async () => {
  const clock = createMovingClock();
  const channel = createChannel(clock, 3_600_000);
  const notified: string[] = [];
  const send = (message: Buffer) => {
    const { id, method } = JSON.parse(message.toString());
    notified.push(method);
    const result = { protocolVersion: MCP_2025_11_25, capabilities: {} };
    if (id) queueMicrotask(() => channel.received(Buffer.from(JSON.stringify({ jsonrpc: "2.0", id, result }))));
    return () => {};
  };
  channel.attach({ send, close() {}, diesOfSilence: false });
  const handshake = initializeChannel(channel, { clock, nextId: () => 1 }, 1000);
  const refused = assert.rejects(handshake, { kind: "timeout" });
  await until(() => notified.includes("notifications/initialized"));
  clock.advance(1000);
  await refused;
});

test("disables the idle timeout while a person responds, and relays no request when several clients share the channel", () => {
  const clock = createMovingClock();
  for (const hasOneClient of [true, false]) {
    const channel = createChannel(clock, 1000);
    channel.hasOneClient = hasOneClient;
    channel.acceptsQuestions = hasOneClient;
    const sent: string[] = [];
    const send = (message: Buffer) => {
      sent.push(message.toString());
      return () => {};
    };
    channel.attach({ send, close() {}, diesOfSilence: false });
    const received: string[] = [];
    channel.request(1, Buffer.from("{}"), {
      message: () => {},
      fault: ({ kind }) => void received.push(kind),
      question: ({ method }) => received.push(method) > 0,
    });
    channel.received(Buffer.from('{"jsonrpc":"2.0","id":5,"method":"elicitation/create","params":{}}'));
    clock.advance(10 * 60_000);
    assert.deepEqual(received, [hasOneClient ? "elicitation/create" : "timeout"]);
    assert.equal(
      sent.some((message) => message.includes("-32601")),
      !hasOneClient,
    );
    channel.close();
  }
});
