import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { BUILT_IN_GUARDS } from "#guards/builtins";
import { addGuardCounts } from "#records/calls";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

const WORDS = { type: "keyword", name: "Words", config: { words: ["falcon"] } };
const BASE = { name: "Project names", type: "runtime", action: "block", checks: [WORDS] };
const ANY = { groups: [], servers: [], tools: [], users: [], exclude_servers: [] };

forEachApi("guards", (api) => {
  before(async () => {
    await createServer(api.service, "Desk");
    await createServer(api.service, "Wiki");
    await createPerson(api.service, "Ada", "ada@example.com");
    await createGroup(api.service, "Readers", { emails: ["ada@example.com"] });
  });
  beforeEach(async () => {
    await api.db.deleteFrom("guards").where("builtin_key", "is", null).execute();
    await api.db.updateTable("guards").set({ enabled: false }).execute();
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

  it("are created with defaults, and read as they were created", async () => {
    const { id, created_at, updated_at, ...guard } = await create();
    assert.deepEqual(guard, {
      ...{ slug: "project-names", name: "Project names", description: "", type: "runtime", enabled: false },
      ...{ action: "block", threshold: 7, direction: "both", entity_types: [], priority: 100, on_error: "block" },
      ...{ message: "", scope: ANY, is_builtin: false },
      checks: [
        {
          ...{ id: "keyword-words", type: "keyword", name: "Words", certainty: 8 },
          config: { words: ["falcon"], whole_word: true, case_sensitive: false },
        },
      ],
    });
    const read = await api.call("GET", "/api/guards/project-names");
    const stats = { evaluated: 0, fired: 0, last_fired_at: null };
    assert.deepEqual(read.body, { data: { id, created_at, updated_at, ...guard, stats } });
    const count = { evaluated: 5, fired: 2, lastFiredAt: 1_000 };
    await addGuardCounts(api.database.databases.calls, new Map([[id, count]]), 1_000);
    const counted = (await api.call("GET", "/api/guards?search=project-names")).body.data[0].stats;
    assert.deepEqual(counted, { evaluated: 5, fired: 2, last_fired_at: "1970-01-01T00:00:01.000Z" });
    assert.equal((await create()).slug, "project-names-2");
    assert.equal((await create({ name: "Check types" })).slug, "check-types-2", "a path of the API");
  });

  it("are listed in pages, with filters", async () => {
    await create({ name: "Zebra", enabled: true, type: "buildtime" });
    const list = async (query: string) => (await api.call("GET", `/api/guards?${query}`)).body;
    const all = await list("includeTotal=true&limit=1");
    assert.equal(all.totalCount, BUILT_IN_GUARDS.length + 1);
    assert.deepEqual(all.pagination, { cursor: 0, limit: 1, hasMore: true, nextCursor: 1 });
    assert.deepEqual([all.data[0].slug, all.data[0].is_builtin, all.data[0].enabled], ["email-addresses", true, false]);
    for (const query of ["search=ZEBR", "enabled=true", "type=buildtime&enabled=true"]) {
      const { data } = await list(query);
      assert.deepEqual(
        data.map(({ slug }: { slug: string }) => slug),
        ["zebra"],
        query,
      );
    }
    assert.deepEqual((await list("enabled=true&type=runtime")).data, []);
    await api.invalid("type: must be one of runtime, buildtime", "GET", "/api/guards?type=x");
  });

  it("are changed field by field; the error behavior follows the action until it is set", async () => {
    await create({ description: "Old", action: "warn" });
    assert.equal((await patch("project-names", { action: "block" })).on_error, "block");
    assert.equal((await patch("project-names", { on_error: "allow" })).on_error, "allow");
    assert.equal((await patch("project-names", { action: "redact" })).on_error, "allow");
    const cleared = await patch("project-names", { on_error: null, description: null });
    assert.deepEqual([cleared.on_error, cleared.description], ["block", ""]);
    assert.equal((await patch("project-names", { action: "require_approval" })).direction, "request");
    const { scope } = await patch("project-names", { scope: { tools: ["desk__*"] } });
    assert.deepEqual(scope, { ...ANY, tools: ["desk__*"] });
    const { checks } = await patch("project-names", { checks: [{ type: "secret", name: "Keys" }] });
    assert.deepEqual(
      checks.map(({ id }: { id: string }) => id),
      ["secret-keys"],
    );
  });

  it("name groups, servers and users, and follow their names", async () => {
    const scope = { groups: ["readers"], servers: ["desk"], users: ["ADA@example.com"], exclude_servers: ["wiki"] };
    assert.deepEqual((await create({ scope })).scope, {
      ...{ groups: ["Readers"], servers: ["desk"], tools: [], users: ["ada@example.com"], exclude_servers: ["wiki"] },
    });
    for (const [list, what] of [
      ["groups", "Groups"],
      ["servers", "MCP servers"],
      ["users", "Users"],
      ["exclude_servers", "MCP servers"],
    ] as const) {
      const unknown = { error: `${what} not found: x, y` };
      await api.expect(400, unknown, "POST", "/api/guards", { ...BASE, scope: { [list]: ["x", "y", "x"] } });
      await api.expect(400, unknown, "PATCH", "/api/guards?slug=project-names", { scope: { [list]: ["x", "y"] } });
    }
  });

  it("keep the ID of a deleted group, so that they do not cover everyone", async () => {
    const group = await createGroup(api.service, "Passing", { emails: ["ada@example.com"] });
    await create({ enabled: true, scope: { groups: ["Passing"] } });
    await api.call("DELETE", "/api/groups?name=Passing");
    const { data } = (await api.call("GET", "/api/guards/project-names")).body;
    assert.match(data.scope.groups[0], /^grp_/, JSON.stringify(group));
    assert.deepEqual((await patch("project-names", { scope: data.scope })).scope, data.scope);
    const { results } = await evaluate({ content: "falcon", direction: "request", email: "ada@example.com" });
    assert.deepEqual(results, []);
  });

  it("of the release can be changed only in part, and not deleted", async () => {
    const changes = {
      ...{ enabled: true, action: "warn", threshold: 9, direction: "request", priority: 5 },
      scope: { ...ANY, servers: ["desk"] },
    };
    const changed = await patch("secrets", changes);
    for (const [field, value] of Object.entries(changes)) assert.deepEqual(changed[field], value, field);
    assert.deepEqual((await patch("secrets", changed)).checks, changed.checks, "a client can send back what it read");
    for (const field of [{ name: "x" }, { description: "x" }, { checks: [WORDS] }, { on_error: "block" }]) {
      const [name] = Object.keys(field);
      await api.invalid(`${name}: cannot be changed for built-in guards`, "PATCH", "/api/guards?slug=secrets", field);
    }
    const error = { error: "Built-in guards cannot be deleted" };
    await api.expect(400, error, "DELETE", "/api/guards?slug=secrets");
    await patch("secrets", { action: "block", threshold: 7, direction: "both", priority: 100, scope: {} });
  });

  it("are deleted once", async () => {
    await create();
    const path = "/api/guards?slug=project-names";
    await api.expect(200, { message: "Guard deleted successfully" }, "DELETE", path);
    for (const [method, target, body] of [
      ["DELETE", path],
      ["PATCH", path, { enabled: true }],
      ["GET", "/api/guards/project-names"],
    ] as const) {
      await api.expect(404, { error: "Guard not found" }, method, target, body);
    }
  });

  it("describe the types of checks", async () => {
    const { data } = (await api.call("GET", "/api/guards/check-types")).body;
    assert.equal(data.length, 11);
    assert.deepEqual(data[0].config[0].name, "pattern");
  });
});
