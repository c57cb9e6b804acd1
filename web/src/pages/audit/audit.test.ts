import assert from "node:assert/strict";
import { it } from "node:test";
import { differences, fieldLabel, kindLabel, operationLabel, targetWithKind } from "./audit.ts";

it("returns only changed fields, by path", () => {
  const before = { name: "A", settings: { drafts: false, assign: true }, scopes: ["a", "c"], contact: null };
  const after = { name: "A", settings: { drafts: true, assign: true }, scopes: ["a", "b"], contact: "x", limit: 3000 };
  assert.deepEqual(differences({ before, after }), [
    { field: "settings.drafts", before: "No", after: "Yes" },
    { field: "scopes", before: "c", after: "b" },
    { field: "contact", before: "None", after: "x" },
    { field: "limit", before: undefined, after: "3,000" },
  ]);
});

it("has no value before for a new field and none after for a removed one", () => {
  assert.deepEqual(differences({ before: null, after: { name: "A", members: [] } }), [
    { field: "name", before: undefined, after: "A" },
    { field: "members", before: undefined, after: "None" },
  ]);
  assert.deepEqual(differences({ before: { name: "A" }, after: null }), [
    { field: "name", before: "A", after: undefined },
  ]);
});

it("turns operation IDs and field paths into labels", () => {
  assert.equal(operationLabel("addUsersToGroup"), "Add users to group");
  assert.equal(operationLabel("updateMcpServer"), "Update MCP server");
  assert.equal(operationLabel("deleteApiToken"), "Delete API token");
  assert.equal(operationLabel("signInFailed"), "Sign-in failed");
  assert.equal(operationLabel("createExchangeProvider"), "Create trusted issuer");
  assert.equal(kindLabel("log_destination"), "log destination");
  assert.equal(fieldLabel("settings.show_draft_mcps"), "Settings / Show draft MCPs");
  assert.equal(fieldLabel("auth_settings.oauth.client_id"), "Auth settings / OAuth / Client ID");
});

it("names the kind of a target unless it is also the name", () => {
  assert.equal(targetWithKind({ type: "mcp-server", id: "srv_1", name: "github" }), "github (MCP server)");
  assert.equal(targetWithKind({ type: "settings", id: "settings", name: "settings" }), "settings");
});

it("omits the update time of a change", () => {
  const changes = differences({
    before: { role: "member", updated_at: "a" },
    after: { role: "owner", updated_at: "b" },
  });
  assert.deepEqual(
    changes.map(({ field }) => field),
    ["role"],
  );
});
