import assert from "node:assert/strict";
import { it } from "node:test";
import { differences, operationLabel } from "./audit.ts";

it("returns only changed fields, by path", () => {
  const before = { name: "A", settings: { drafts: false, assign: true }, scopes: ["a"] };
  const after = { name: "A", settings: { drafts: true, assign: true }, scopes: ["a", "b"], limit: 3 };
  assert.deepEqual(differences({ before, after }), [
    { field: "settings.drafts", before: "false", after: "true" },
    { field: "scopes", before: '["a"]', after: '["a","b"]' },
    { field: "limit", before: undefined, after: "3" },
  ]);
});

it("has no value before for a new field and none after for a removed one", () => {
  assert.deepEqual(differences({ before: null, after: { name: "A" } }), [
    { field: "name", before: undefined, after: "A" },
  ]);
  assert.deepEqual(differences({ before: { name: "A" }, after: null }), [
    { field: "name", before: "A", after: undefined },
  ]);
});

it("turns an operation ID into a label", () => {
  assert.equal(operationLabel("addUsersToGroup"), "Add users to group");
  assert.equal(operationLabel("setUserApiKey"), "Set user API key");
  assert.equal(operationLabel("updateMcpServer"), "Update MCP server");
});
