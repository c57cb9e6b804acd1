import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

const WORDS = { type: "keyword", name: "Words", config: { words: ["falcon"] } };
const BASE = { name: "Project names", type: "runtime", action: "block", checks: [WORDS] };

forEachApi("evaluation of content by guards", (api) => {
  before(async () => {
    await createServer(api.service, "Desk");
    await createServer(api.service, "Wiki");
    await createPerson(api.service, "Ada", "ada@example.com");
    await createPerson(api.service, "Eve", "eve@example.com");
    await createGroup(api.service, "Readers", { emails: ["ada@example.com"] });
  });
  beforeEach(async () => {
    await api.db.deleteFrom("guards").where("builtin_key", "is", null).execute();
  });

  const create = async (rest: object = {}) => {
    const answer = await api.call("POST", "/api/guards", { ...BASE, ...rest });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const patch = async (slug: string, body: object) => {
    const answer = await api.call("PATCH", `/api/guards?slug=${slug}`, body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const evaluate = async (body: object) => {
    const answer = await api.call("POST", "/api/guards/evaluate", body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };

  it("returns the result of one guard, also if it is disabled or not saved", async () => {
    const created = await create();
    const expected = {
      ...{ guard_slug: "project-names", guard_name: "Project names", action: "block", passed: false, score: 8 },
      ...{ threshold: 7, finding_count: 1 },
      findings: [
        {
          check_id: "keyword-words",
          check_name: "Words",
          certainty: 8,
          path: "content",
          start: 4,
          end: 10,
          excerpt: "fa…",
        },
      ],
    };
    assert.deepEqual(await evaluate({ content: "the falcon", guard_slug: "project-names" }), expected);
    assert.deepEqual(await evaluate({ content: "the falcon", guard_id: created.id }), expected);
    const unsaved = await evaluate({ content: "the falcon", guard: { ...BASE, slug: "project-names" } });
    assert.deepEqual(unsaved, expected);
    const { passed, score, findings } = await evaluate({ content: "the hawk", guard_slug: "project-names" });
    assert.deepEqual([passed, score, findings], [true, 0, []]);
  });

  it("combines the enabled runtime guards that cover a call", async () => {
    await create({ name: "Desk only", enabled: true, scope: { servers: ["desk"] } });
    await create({ name: "Readers", enabled: true, action: "redact", scope: { groups: ["Readers"] } });
    await create({ name: "Off" });
    const slugs = async (body: object) =>
      (await evaluate({ content: "falcon", direction: "request", ...body })).results.map(
        ({ guard_slug }: { guard_slug: string }) => guard_slug,
      );
    assert.deepEqual(await slugs({}), []);
    assert.deepEqual(await slugs({ tool: "desk__x" }), ["desk-only"]);
    assert.deepEqual(await slugs({ server: "wiki", email: "ada@example.com" }), ["readers"]);
    assert.deepEqual(await slugs({ server: "desk", email: "ADA@example.com" }), ["desk-only", "readers"]);
    assert.deepEqual(await slugs({ server: "wiki", email: "eve@example.com" }), []);
    const redacted = await evaluate({ content: { a: "a falcon" }, direction: "request", email: "ada@example.com" });
    assert.deepEqual(
      [redacted.passed, redacted.content, redacted.redactions.length, redacted.blocks],
      [true, { a: "a [REDACTED-WORDS]" }, 1, []],
    );
    const blocked = await evaluate({ content: "falcon", direction: "request", server: "desk" });
    assert.deepEqual(
      [blocked.passed, blocked.content, blocked.blocks],
      [false, null, ["blocked by guard desk-only (Words)"]],
    );
  });

  it("never returns matched text", async () => {
    const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    for (const action of ["log", "warn", "redact", "block", "require_approval"]) {
      await patch("secrets", { enabled: true, action });
      const { text } = await api.call("POST", "/api/guards/evaluate", {
        ...{ content: { token: secret }, direction: "request" },
      });
      assert.ok(!text.includes(secret.slice(4)), `${action}: ${text}`);
    }
    await patch("secrets", { enabled: false, action: "block", direction: "both" });
  });

  it("evaluates build-time guards for a type of content", async () => {
    const guard = { type: "buildtime", action: "warn", enabled: true, entity_types: ["skill"] };
    await create(guard);
    const warned = await evaluate({ content: "a falcon", entity_type: "skill" });
    assert.deepEqual(
      [warned.passed, warned.warnings, warned.content],
      [true, ["warning of guard project-names (Words)"], null],
    );
    const other = await evaluate({ content: "a falcon", entity_type: "command" });
    assert.deepEqual([other.passed, other.results, other.content], [true, [], "a falcon"]);
  });

  it("rejects bad input", async () => {
    const path = "/api/guards/evaluate";
    const deep = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    for (const [message, body] of [
      ["content: content is required", { guard_slug: "secrets" }],
      ["content: must be a string or an object", { content: [1], guard_slug: "secrets" }],
      ["content: must be nested at most 64 levels deep", { content: deep, guard_slug: "secrets" }],
      ["entity_type: entity_type, direction or a guard is required", { content: "x" }],
      ["direction: must be one of request, response", { content: "x", direction: "both" }],
      ["email: must be well-formed text without NUL characters", { content: "x", email: "\0" }],
      ["guard: must be an object", { content: "x", guard: [] }],
      ["guard.name: name is required", { content: "x", guard: { type: "runtime" } }],
      [
        "guard: only one of guard_id, guard_slug and guard can be given",
        { content: "x", guard_id: "x", guard_slug: "y" },
      ],
    ] as const) {
      await api.invalid(message, "POST", path, body);
    }
    await api.expect(404, { error: "Guard not found" }, "POST", path, { content: "x", guard_id: "x" });
    const call = { content: "\0 any text \ud800", direction: "request" };
    await api.expect(400, { error: "MCP servers not found: x" }, "POST", path, { ...call, server: "x" });
    await api.expect(400, { error: "Users not found: x@y.z" }, "POST", path, { ...call, email: "x@y.z" });
    assert.equal((await evaluate(call)).passed, true);
  });
});
