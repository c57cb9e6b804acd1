import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";

const WORDS = { type: "keyword", name: "Words", config: { words: ["falcon"] } };
const BASE = { name: "Project names", type: "runtime", action: "block", checks: [WORDS] };

forEachApi("bad input for guards", (api) => {
  beforeEach(async () => {
    await api.db.deleteFrom("guards").where("builtin_key", "is", null).execute();
  });

  const create = async (rest: object = {}) => {
    const answer = await api.call("POST", "/api/guards", { ...BASE, ...rest });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
  const check = (config: object, rest: object = {}) => ({ checks: [{ type: "regex", name: "x", config, ...rest }] });
  for (const [message, body] of [
    ["name: name is required", { name: undefined }],
    ["name: name is required", { name: " " }],
    ["name: must be a string", { name: 5 }],
    ["name: must be well-formed text without NUL characters", { name: "a\0" }],
    ["description: must be well-formed text without NUL characters", { description: "\ud800" }],
    ["type: type is required", { type: undefined }],
    ["type: must be one of runtime, buildtime", { type: "x" }],
    ["action: action is required", { action: undefined }],
    ["action: redact is not allowed for buildtime guards", { type: "buildtime", action: "redact" }],
    ["threshold: must be an integer between 1 and 10", { threshold: 11 }],
    ["threshold: must be an integer between 1 and 10", { threshold: "7" }],
    ["direction: must be one of request, response, both", { direction: "x" }],
    ["entity_types: must be a list of 1 to 7 items", { type: "buildtime", entity_types: [] }],
    ["scope: must be an object", { scope: "x" }],
    ["scope.groups.0: must be a text that is not empty", { scope: { groups: [""] } }],
    ["scope.group: is not known; use groups, servers, tools, users, exclude_servers", { scope: { group: [] } }],
    ["scope.users.0: must be well-formed text without NUL characters", { scope: { users: ["\0"] } }],
    ["checks: must be a list of 1 to 50 items", { checks: [] }],
    ["checks: must be a list of 1 to 50 items", { checks: undefined }],
    ["checks.0: must be an object", { checks: [null] }],
    ["checks.0.config.pattern: pattern is required", check({ pattern: "" })],
    ["checks.0.config.patern: is not known; use pattern, flags, replacement, validator", check({ patern: "x" })],
    ["checks.0.certainty: must be an integer between 1 and 10", check({ pattern: "x" }, { certainty: 0 })],
    ["checks.1.id: another check of the guard has the id keyword-words", { checks: [WORDS, WORDS] }],
    ["checks: must be nested at most 64 levels deep", check(deep)],
    ["priority: must be an integer between 0 and 1000000", { priority: -1 }],
    ["on_error: must be one of allow, block", { on_error: "x" }],
    ["message: must be at most 500 characters", { message: "x".repeat(501) }],
  ] as const) {
    it(`reports ${message.slice(0, 80)}`, async () => {
      await api.invalid(message, "POST", "/api/guards", { ...BASE, ...body });
    });
  }

  it("reports the reason why a pattern is not valid (F37)", async () => {
    const { status, body } = await api.call("POST", "/api/guards", { ...BASE, ...check({ pattern: "(?=a)" }) });
    assert.equal(status, 400);
    assert.match(body.message, /^checks\.0\.config\.pattern: must be a valid regular expression: ./);
  });

  it("reports bad changes before a missing guard, and references after it", async () => {
    const path = "/api/guards?slug=nowhere";
    await api.invalid("slug query parameter is required", "PATCH", "/api/guards", { enabled: 5 });
    await api.invalid("enabled: must be true or false", "PATCH", path, { enabled: 5 });
    await api.invalid("enabled: must not be null", "PATCH", path, { enabled: null });
    await api.invalid("name: name is required", "PATCH", path, { name: null });
    await api.invalid("checks: must be a list of 1 to 50 items", "PATCH", path, { checks: [] });
    await api.invalid(
      "entity_types.0: must be one of mcp_server, tool, toolkit, skill, command, plugin, background_agent",
      "PATCH",
      path,
      { entity_types: ["x"] },
    );
    await api.expect(404, { error: "Guard not found" }, "PATCH", path, { scope: { groups: ["x"] } });
    await create({ type: "buildtime" });
    const own = "/api/guards?slug=project-names";
    await api.invalid("type: cannot be changed", "PATCH", own, { type: "runtime" });
    await api.invalid("action: redact is not allowed for buildtime guards", "PATCH", own, { action: "redact" });
  });
});
