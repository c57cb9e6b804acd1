import assert from "node:assert/strict";
import { it } from "node:test";
import { differences, operationWords } from "./audit.ts";

it("only what has changed is shown, by its path", () => {
  const before = { name: "A", settings: { drafts: false, assign: true }, scopes: ["a"] };
  const after = { name: "A", settings: { drafts: true, assign: true }, scopes: ["a", "b"], limit: 3 };
  assert.deepEqual(differences({ before, after }), [
    { field: "settings.drafts", before: "false", after: "true" },
    { field: "scopes", before: '["a"]', after: '["a","b"]' },
    { field: "limit", before: undefined, after: "3" },
  ]);
});

it("what is new has no before, what is gone no after", () => {
  assert.deepEqual(differences({ before: null, after: { name: "A" } }), [
    { field: "name", before: undefined, after: "A" },
  ]);
  assert.deepEqual(differences({ before: { name: "A" }, after: null }), [
    { field: "name", before: "A", after: undefined },
  ]);
});

it("an operation's id is read as words", () => {
  assert.equal(operationWords("addUsersToGroup"), "Add users to group");
  assert.equal(operationWords("setUserApiKey"), "Set user API key");
  assert.equal(operationWords("updateMcpServer"), "Update MCP server");
});
