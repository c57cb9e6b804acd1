import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { z } from "zod";
import { bearer } from "#test/api";
import { type ApiKit, openApiKit } from "#test/api-kit";
import { type Operation, read, write } from "./operation.ts";

const common = { tag: "Test", summary: "Test", scope: "admin:read", refusals: [], onCrash: "Failed to leak" } as const;
const Known = z.object({ data: z.object({ name: z.string() }) });

/** Rows have more columns than their responses. An extra member compiles, so it must be caught at run time. */
const row = { name: "shown", secret: "hidden" };
const leaks = read({
  ...common,
  id: "leak",
  route: "GET /api/leak",
  answers: { 200: Known },
  run: async () => ({ status: 200, body: { data: row } }),
});
const keeps = read({
  ...common,
  id: "keep",
  route: "GET /api/keep",
  answers: { 200: Known },
  run: async () => ({ status: 200, body: { data: { name: "shown" } } }),
});
const lies = read({
  ...common,
  id: "lie",
  route: "GET /api/lie",
  answers: { 200: Known },
  // A stored value with a type that TypeScript does not expect.
  run: async () => ({ status: 200, body: { data: { name: JSON.parse("7") } } }),
});
const longList = Array.from({ length: 205 }, (_, n) => ({ name: `"data":[] ${n}` }));
const listAnswer = {
  200: z.object({ data: z.array(z.object({ name: z.string() })), pagination: z.object({ limit: z.int() }) }),
};
const lists = read({
  ...common,
  id: "list",
  route: "GET /api/list",
  answers: listAnswer,
  run: async () => ({ status: 200, body: { data: longList, pagination: { limit: 205 } } }),
});
const leakingList = [...longList, row];
const listLeaks = read({
  ...common,
  id: "leakingList",
  route: "GET /api/leaking-list",
  answers: listAnswer,
  run: async () => ({ status: 200, body: { data: leakingList, pagination: { limit: 206 } } }),
});
const leaksAfterWriting = write({
  ...common,
  id: "leakingWrite",
  route: "POST /api/leak",
  answers: { 201: Known },
  run: async ({ afterCommit }) => {
    afterCommit(() => {});
    return { status: 201, body: { data: row } };
  },
});

describe("response validation", () => {
  let kit: ApiKit;
  before(async () => {
    kit = await openApiKit();
  });
  after(() => kit.close());

  const answerOf = async (undeclared: "fails" | "is-cut", operation: Operation) => {
    const [method, url] = operation.route.split(" ") as ["GET" | "POST", string]; // the routes above
    const answer = await kit.serve([operation], undeclared).inject({ method, url, headers: bearer(kit.token) });
    return [answer.statusCode, answer.json()];
  };

  it("writes a long list in slices like any other list", async () => {
    const expected = [200, { data: longList, pagination: { limit: 205 } }];
    assert.deepEqual(await answerOf("fails", lists), expected);
    assert.deepEqual(await answerOf("is-cut", lists), expected);
  });

  it("validates the last entry of a long list like the first", async () => {
    assert.deepEqual(await answerOf("fails", listLeaks), [500, { error: "Failed to leak" }]);
    const cut = { data: [...longList, { name: "shown" }], pagination: { limit: 206 } };
    assert.deepEqual(await answerOf("is-cut", listLeaks), [200, cut]);
  });

  it("fails in tests on an undeclared field", async () => {
    assert.deepEqual(await answerOf("fails", leaks), [500, { error: "Failed to leak" }]);
    assert.deepEqual(await answerOf("fails", leaksAfterWriting), [500, { error: "Failed to leak" }]);
  });

  it("removes an undeclared field in production", async () => {
    assert.deepEqual(await answerOf("is-cut", leaks), [200, { data: { name: "shown" } }]);
    assert.deepEqual(await answerOf("is-cut", leaksAfterWriting), [201, { data: { name: "shown" } }]);
  });

  it("sends a response that matches its declaration, in tests and in production", async () => {
    assert.deepEqual(await answerOf("fails", keeps), [200, { data: { name: "shown" } }]);
    assert.deepEqual(await answerOf("is-cut", keeps), [200, { data: { name: "shown" } }]);
  });

  it("never sends a response of another type than declared", async () => {
    assert.deepEqual(await answerOf("fails", lies), [500, { error: "Failed to leak" }]);
    assert.deepEqual(await answerOf("is-cut", lies), [500, { error: "Failed to leak" }]);
  });
});
