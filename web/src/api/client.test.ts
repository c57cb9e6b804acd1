import assert from "node:assert/strict";
import { it } from "node:test";
import { createApi } from "./client.ts";

it("cancels its requests when it is stopped, sends no others, and reports no error", async () => {
  const signals: (AbortSignal | null | undefined)[] = [];
  const fetch: typeof globalThis.fetch = async (_input, init) => {
    init?.signal?.throwIfAborted();
    signals.push(init?.signal);
    return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(new Error("aborted"))));
  };
  const fail = () => assert.fail("the session did not change");
  const api = createApi({ onSignedOut: fail, onUserChanged: fail }, "", fetch);
  const settled: string[] = [];
  const request = () => {
    const own = new AbortController();
    void api.listGroups({ query: {}, signal: own.signal }).then(
      () => settled.push("answered"),
      () => settled.push("failed"),
    );
  };
  request();
  await new Promise(setImmediate);
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [false],
  );
  api.stop();
  request();
  await new Promise(setImmediate);
  assert.deepEqual(
    signals.map((signal) => signal?.aborted),
    [true],
    "the first was canceled, and the second was not sent",
  );
  assert.deepEqual(settled, []);
});
