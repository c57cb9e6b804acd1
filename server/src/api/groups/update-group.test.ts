import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer } from "#test/factories";

forEachApi("PATCH /api/groups", (api) => {
  const patch = (name: string, body: object) => api.call("PATCH", `/api/groups?name=${encodeURIComponent(name)}`, body);

  describe("200", () => {
    it("finds the name without regard to case, and keeps omitted fields", async () => {
      const settings = { auto_assign_users: false, auto_assign_mcps: true, show_draft_mcps: true };
      await createGroup(api.service, "Größe", { settings });
      for (const body of [{}, { settings: {} }, { unknown: true, users_count: 9 }]) {
        const { data } = (await patch("GRÖßE", body)).body;
        assert.deepEqual([data.name, data.settings, data.users_count], ["Größe", settings, 0]);
      }
      const { data } = (await patch("größe", { settings: { show_draft_mcps: false } })).body;
      assert.deepEqual(data.settings, { ...settings, show_draft_mcps: false });
      await api.call("DELETE", "/api/groups?name=gr%C3%B6%C3%9Fe");
    });

    it("sets, merges and removes limits, with both values in the audit log", async () => {
      await createGroup(api.service, "Limited");
      const limitsAfter = async (limits: object | null) => (await patch("limited", { limits })).body.data.limits;
      const none = { calls_per_minute: null, concurrent_calls: null };
      assert.deepEqual(await limitsAfter({}), none);
      const first = { calls_per_minute: 60, concurrent_calls: null };
      assert.deepEqual(await limitsAfter({ calls_per_minute: 60 }), first);
      const [audit] = await api.auditOf(() => patch("limited", { limits: { concurrent_calls: 2 } }));
      const limitsIn = (state: object | null | undefined) => state && "limits" in state && state.limits;
      assert.deepEqual(
        [limitsIn(audit?.before), limitsIn(audit?.after)],
        [first, { calls_per_minute: 60, concurrent_calls: 2 }],
      );
      assert.deepEqual((await patch("limited", { name: "Limited2" })).body.data.limits.concurrent_calls, 2);
      assert.deepEqual((await patch("limited2", { limits: { calls_per_minute: null } })).body.data.limits, {
        calls_per_minute: null,
        concurrent_calls: 2,
      });
      assert.deepEqual((await patch("limited2", { limits: null })).body.data.limits, none);
      await api.call("DELETE", "/api/groups?name=limited2");
    });

    it("rejects limits that are not positive integers", async () => {
      await createGroup(api.service, "Unlimited");
      const path = "/api/groups?name=unlimited";
      const check = (message: string, limits: unknown) => api.invalid(message, "PATCH", path, { limits });
      await check("limits: must be an object or null", 5);
      for (const value of [0, -1, 1_000_001])
        await check("limits.calls_per_minute: must be between 1 and 1000000, or null", { calls_per_minute: value });
      await check("limits.concurrent_calls: must be between 1 and 10000, or null", { concurrent_calls: 10_001 });
      for (const value of ["5", 1.5, true])
        await check("limits.concurrent_calls: must be an integer or null", { concurrent_calls: value });
      await api.call("DELETE", path);
    });

    it("renames without changing members and servers, and frees the old name", async () => {
      const slug = await createServer(api.service, "Linked", undefined, { status: "active" });
      await createPerson(api.service, "Ada", "ada@example.com");
      const id = await createGroup(api.service, "Before", { slugs: [slug], emails: ["ada@example.com"] });
      const { data } = (await patch("before", { name: "After" })).body;
      assert.deepEqual([data.id, data.name, data.users_count, data.integrations_count], [id, "After", 1, 1]);
      const scoped = await api.call("GET", "/api/mcp-servers", undefined, { "x-service-group": "after" });
      assert.equal(scoped.body.data[0].slug, slug);
      await api.expect(404, { error: "Group not found" }, "PATCH", "/api/groups?name=Before", {});
      assert.notEqual(await createGroup(api.service, "Before"), id);
    });

    it("changes the case of the name", async () => {
      await createGroup(api.service, "lower");
      assert.equal((await patch("lower", { name: "LOWER" })).body.data.name, "LOWER");
    });

    it("auto-assignment does not affect existing users and servers (D15)", async () => {
      const slug = await createServer(api.service, "Earlier");
      await createPerson(api.service, "Early", "early@example.com");
      await createGroup(api.service, "automatic");
      const settings = { auto_assign_users: true, auto_assign_mcps: true };
      const { data } = (await patch("automatic", { settings })).body;
      assert.deepEqual([data.users_count, data.integrations_count], [0, 0]);
      await createServer(api.service, "Later");
      await createPerson(api.service, "Late", "late@example.com");
      await api.call("POST", "/api/users", { is_machine_user: true, name: "Late bot" });
      const [now] = (await api.call("GET", "/api/groups?search=automatic")).body.data;
      assert.deepEqual([now.users_count, now.integrations_count], [1, 1]);
      assert.ok(slug);
    });
  });

  describe("400", () => {
    it("rejects the name of another group, and a blank one", async () => {
      await createGroup(api.service, "one");
      await createGroup(api.service, "two");
      await api.invalid("name: group with this name already exists", "PATCH", "/api/groups?name=two", { name: "ONE" });
      await api.invalid("name: name is required", "PATCH", "/api/groups?name=two", { name: " " });
    });

    it("accepts one of ten concurrent renames to one name", async () => {
      for (let i = 0; i < 10; i++) await createGroup(api.service, `crowd ${i}`);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => patch(`crowd ${i}`, { name: "the crowd" })),
      );
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, ...Array(9).fill(400)]);
    });
  });
});
