import assert from "node:assert/strict";
import { test } from "node:test";
import { testClock } from "#test/clock";
import { ask, type Outside, within } from "./ask.ts";

test("questions in a row take no longer than their time together, and the last ones are not asked (OA-10)", async () => {
  const clock = testClock();
  const given: unknown[] = [];
  const slow: Outside = {
    async request({ url, timeouts }) {
      given.push(timeouts?.totalMs);
      clock.advance(timeouts?.totalMs ?? 0);
      return { status: 200, headers: {}, body: Buffer.from("{}"), url: String(url) };
    },
    assertReachableUrl: (url) => new URL(url),
  };
  const outside = within(slow, clock, 15_000);
  const words: string[] = [];
  for (let n = 0; n < 3; n++) {
    words.push((await ask(outside, { method: "GET", url: "https://as.example", maxBytes: 10 })).words);
  }
  assert.deepEqual(given, [10_000, 5_000]);
  assert.deepEqual(words, ["HTTP 200", "HTTP 200", "no answer: the servers that were asked before took too long"]);
});
