import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("Guards", (api) => {
  const word = api.unique("falcon").replace(/[^a-z0-9]/gi, "");
  const body = (rest: object = {}) => ({
    ...{ name: api.unique("guard"), type: "runtime", action: "block" },
    checks: [{ type: "keyword", name: "Names", config: { words: [word] } }],
    ...rest,
  });
  const create = async (rest: object = {}) => (await api.body(201, "POST", "/api/guards", body(rest))).data;
  const evaluate = async (content: unknown, rest: object) =>
    (await api.body(200, "POST", "/api/guards/evaluate", { content, ...rest })).data;

  it("have built-in ones that can be enabled, but not deleted or rewritten", async () => {
    const { data } = await api.body(200, "GET", "/api/guards?limit=200");
    const builtIn = data.filter(({ is_builtin }: { is_builtin: boolean }) => is_builtin);
    assert.ok(builtIn.length >= 12);
    for (const path of ["secrets", "payment-cards"]) {
      assert.equal((await api.body(200, "GET", `/api/guards/${path}`)).data.is_builtin, true);
    }
    const refused = await api.body(400, "DELETE", "/api/guards?slug=secrets");
    assert.deepEqual(refused, { error: "Built-in guards cannot be deleted" });
    const rewritten = await api.body(400, "PATCH", "/api/guards?slug=secrets", { name: "Other" });
    assert.equal(rewritten.code, "INVALID_FORMAT");
  });

  it("are created, changed and deleted", async () => {
    const { slug } = await create();
    assert.equal((await api.body(200, "PATCH", `/api/guards?slug=${slug}`, { threshold: 9 })).data.threshold, 9);
    const deleted = await api.body(200, "DELETE", `/api/guards?slug=${slug}`);
    assert.deepEqual(deleted, { message: "Guard deleted successfully" });
    assert.deepEqual(await api.body(404, "GET", `/api/guards/${slug}`), { error: "Guard not found" });
  });

  it("reject a pattern that could take forever, with the reason", async () => {
    const checks = [{ type: "regex", name: "x", config: { pattern: "(a)\\1" } }];
    const { code, message } = await api.body(400, "POST", "/api/guards", body({ checks }));
    assert.equal(code, "INVALID_FORMAT");
    assert.match(message, /^checks\.0\.config\.pattern: must be a valid regular expression: /);
    const unknown = await api.body(400, "POST", "/api/guards", body({ scope: { groups: ["nowhere"] } }));
    assert.deepEqual(unknown, { error: "Groups not found: nowhere" });
  });

  it("evaluate content with one guard or with all, and never return matched text", async () => {
    const { slug } = await create({ action: "redact" });
    const one = await evaluate(`the ${word}`, { guard_slug: slug });
    assert.deepEqual([one.guard_slug, one.passed, one.findings[0].excerpt], [slug, false, `${word.slice(0, 2)}…`]);
    const off = await evaluate(`the ${word}`, { direction: "request" });
    assert.ok(!off.results.some(({ guard_slug }: { guard_slug: string }) => guard_slug === slug));
    await api.body(200, "PATCH", `/api/guards?slug=${slug}`, { enabled: true });
    const on = await evaluate({ text: `the ${word}` }, { direction: "request" });
    assert.deepEqual([on.passed, on.content], [true, { text: "the [REDACTED-NAMES]" }]);
    assert.ok(!JSON.stringify(on).includes(word));
    await api.body(200, "PATCH", `/api/guards?slug=${slug}`, { action: "block" });
    const blocked = await evaluate({ text: word }, { direction: "response" });
    assert.deepEqual([blocked.passed, blocked.content], [false, null]);
  });

  it("describe their types of checks", async () => {
    const { data } = await api.body(200, "GET", "/api/guards/check-types");
    assert.ok(data.some(({ type }: { type: string }) => type === "prompt_injection"));
  });
});
