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
