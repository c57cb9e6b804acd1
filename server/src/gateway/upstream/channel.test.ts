import assert from "node:assert/strict";
import { test } from "node:test";
import { createLogger } from "#lib/logger";
import { testClock } from "#test/clock";
import { Channel } from "./channel.ts";

test("an upstream that asks without end and takes no answer gets a bounded number of them (GW-10)", async () => {
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
