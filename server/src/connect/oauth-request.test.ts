import assert from "node:assert/strict";
import { test } from "node:test";
import { testClock } from "#test/clock";
import { type OAuthEgress, sendRequest, withDeadline } from "./oauth-request.ts";

test("questions in a row take no longer than their time together, and the last ones are not asked (OA-10)", async () => {
  const clock = testClock();
  const given: unknown[] = [];
  const slow: OAuthEgress = {
    async request({ url, timeouts }) {
      given.push(timeouts?.totalMs);
      clock.advance(timeouts?.totalMs ?? 0);
      return { status: 200, headers: {}, body: Buffer.from("{}"), url: String(url) };
    },
    assertReachableUrl: (url) => new URL(url),
  };
  const outside = withDeadline(slow, clock, 15_000);
  const summaries: string[] = [];
  for (let n = 0; n < 3; n++) {
    summaries.push((await sendRequest(outside, { method: "GET", url: "https://as.example", maxBytes: 10 })).summary);
  }
  assert.deepEqual(given, [10_000, 5_000]);
  assert.deepEqual(summaries, ["HTTP 200", "HTTP 200", "no response: earlier requests took too long"]);
});
