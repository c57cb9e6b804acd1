import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createServer } from "#test/factories";

const SUCCESS = { data: { success: true } };

forEachApi("POST /api/groups/{name}/integrations", (api) => {
  let count = 0;
  const fresh = async () => {
    const name = `Group ${++count}`;
    const id = await createGroup(api.service, name);
    return { path: `/api/groups/${encodeURIComponent(name)}/integrations`, id };
  };
  const linked = async (groupId: string) => {
    const rows = await api.db
      .selectFrom("group_servers")
      .innerJoin("mcp_servers", "mcp_servers.id", "group_servers.server_id")
      .select("mcp_servers.slug")
      .where("group_id", "=", groupId)
      .orderBy("mcp_servers.slug")
      .execute();
    return rows.map((row) => row.slug);
  };
  before(async () => {
    for (const name of ["a", "b", "c"]) await createServer(api.service, name);
  });

  describe("200", () => {
    it("adds servers, and skips existing and repeated ones", async () => {
      const { path, id } = await fresh();
      await api.expect(200, SUCCESS, "POST", path, { slugs: ["a"] });
      await api.expect(200, SUCCESS, "POST", path, { slugs: ["b", "a", "b"] });
      await api.expect(200, SUCCESS, "POST", path, { slugs: ["a", "b"] });
      assert.deepEqual(await linked(id), ["a", "b"]);
    });

    it("finds the group without regard to case, also with a slash or non-ASCII characters", async () => {
      const id = await createGroup(api.service, "Ä/B 日本 %");
      const path = `/api/groups/${encodeURIComponent("ä/b 日本 %")}/integrations`;
      await api.expect(200, SUCCESS, "POST", path, { slugs: ["c"] });
      assert.deepEqual(await linked(id), ["c"]);
    });

    it("accepts ten concurrent requests", async () => {
      const { path, id } = await fresh();
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => api.call("POST", path, { slugs: i % 2 ? ["a", "b", "c"] : ["c", "b"] })),
      );
      assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
      assert.deepEqual(await linked(id), ["a", "b", "c"]);
    });
  });

  describe("400", () => {
    it("adds nothing if a slug is unknown, and lists the unknown ones once, in the given order", async () => {
      const { path, id } = await fresh();
      const error = "Integrations not found: z, A, y";
      await api.expect(400, { error }, "POST", path, { slugs: ["a", "z", "A", "b", "y", "z"] });
      assert.deepEqual(await linked(id), []);
    });

    it("rejects more than 1000 slugs, NUL characters, and other types", async () => {
      const { path } = await fresh();
      await api.invalid("slugs: must contain at most 1000 slugs", "POST", path, { slugs: Array(1_001).fill("a") });
      const nul = "slugs.0: must be well-formed text without NUL characters";
      await api.invalid(nul, "POST", path, { slugs: ["\0"] });
      await api.invalid("slugs.0: must be a string", "POST", path, { slugs: [null] });
      const many = Array.from({ length: 1_000 }, (_, i) => `unknown-${i}`);
      await api.expect(400, { error: `Integrations not found: ${many.join(", ")}` }, "POST", path, { slugs: many });
    });
  });
});
