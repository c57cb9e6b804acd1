import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { MCP_2025_11_25 } from "#test/gateway-kit";
import { until } from "#test/upstreams/caller";
import { createMovingClock } from "#test/upstreams/moving-clock";
import { initializeChannel } from "../handshake/channel-handshake.ts";
import { Channel } from "./channel.ts";

test("limits the pending replies to an upstream that sends requests endlessly (GW-10)", async () => {
  const channel = new Channel({ clock: testClock(), logger: createLogger("silent"), idleMs: 1000 });
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
  const channel = new Channel({ clock, logger: createLogger("silent"), idleMs: 3_600_000 });
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
    const channel = new Channel({ clock, logger: createLogger("silent"), idleMs: 1000 });
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
