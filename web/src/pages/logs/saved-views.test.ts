import assert from "node:assert/strict";
import { it } from "node:test";
import { readViews, withView } from "./saved-views.ts";

it("reads saved views and ignores anything invalid", () => {
  const views = withView(withView([], { name: "Slow", search: { min_ms: "1000" } }), { name: "Mine", search: {} });
  assert.deepEqual(
    views.map(({ name }) => name),
    ["Mine", "Slow"],
  );
  assert.deepEqual(readViews(JSON.stringify(views)), views);
  for (const broken of [undefined, "", "{", "{}", "[1, null, {}]", '[{"name":"x"}]', '[{"name":"","search":{}}]']) {
    assert.deepEqual(readViews(broken), [], broken);
  }
  assert.deepEqual(readViews('[{"name":"x","search":{"q":1,"user":"a"}}]'), [{ name: "x", search: { user: "a" } }]);
});

it("replaces a view that has the same name", () => {
  const [only, ...more] = withView([{ name: "Slow", search: { min_ms: "1" } }], { name: "Slow", search: {} });
  assert.deepEqual([only, more], [{ name: "Slow", search: {} }, []]);
});
