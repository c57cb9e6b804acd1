import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { forEachApi } from "#test/api";

const TAKEN = "name: group with this name already exists";
const OFF = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };

forEachApi("POST /api/groups", (api) => {
  const create = (body: object) => api.call("POST", "/api/groups", body);

  describe("201", () => {
    it("returns the group, with its settings off by default (D14)", async () => {
      const { status, body } = await create({ name: "Engineering" });
      const { id, created_at, updated_at, ...rest } = body.data;
      assert.equal(status, 201);
      assert.deepEqual(rest, {
        name: "Engineering",
        settings: OFF,
        provisioned_by: null,
        external_id: null,
        limits: { calls_per_minute: null, concurrent_calls: null },
        users_count: 0,
        integrations_count: 0,
      });
      assert.match(id, /^grp_/);
      assert.equal(new Date(created_at).toISOString(), created_at);
      assert.equal(updated_at, created_at);
    });

    it("returns the same with return=full, as GET does without the estimate of tools (decision 0052)", async () => {
      const { status, body } = await api.call("POST", "/api/groups?return=full", { name: "Full" });
      assert.equal(status, 201);
      const data = { ...body.data, tokens_estimate: 0, largest: [] };
      await api.expect(200, { data }, "GET", "/api/groups/full");
    });

    it("accepts each setting separately", async () => {
      for (const setting of Object.keys(OFF)) {
        const { data } = (await create({ name: setting, settings: { [setting]: true, unknown: 1 } })).body;
        assert.deepEqual(data.settings, { ...OFF, [setting]: true });
      }
    });

    it("stores the name as given", async () => {
      for (const name of ["  spaced  ", "a/b?c=d&e#f", "日本 🚀", "<b>'\"--", "x".repeat(255)]) {
        assert.equal((await create({ name })).body.data.name, name);
      }
    });
  });

  describe("400", () => {
    it("rejects other values of return (D9)", async () => {
      await api.invalid("return: must be one of full", "POST", "/api/groups?return=all", { name: "Never" });
    });

    it("rejects an existing name in another case or width", async () => {
      await create({ name: "Größe" });
      for (const name of ["Größe", "GRÖßE", "Gro\u0308ße", "ＧRÖßE"]) {
        await api.invalid(TAKEN, "POST", "/api/groups", { name });
      }
    });

    it("creates one group for twenty concurrent requests with one name", async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) => create({ name: i % 2 ? "Contested" : "CONTESTED" })),
      );
      assert.deepEqual(answers.map((answer) => answer.status).sort(), [201, ...Array(19).fill(400)]);
      for (const answer of answers) if (answer.status === 400) assert.equal(answer.body.message, TAKEN);
    });
  });
});
