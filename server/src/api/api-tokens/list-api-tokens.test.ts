import assert from "node:assert/strict";
import { it } from "node:test";
import { bearer, forEachApi } from "#test/api";

forEachApi(
  "GET /api/api-tokens",
  (api) => {
    const list = async (query = "") => (await api.call("GET", `/api/api-tokens${query}`)).body;

    it("200 lists all tokens without their values", async () => {
      const made = await api.tokenWith("admin:read");
      const answer = await api.call("GET", "/api/api-tokens");
      assert.deepEqual(answer.body.pagination, { skip: 0, limit: 100, hasMore: false });
      assert.deepEqual(Object.keys(answer.body.data[0]).sort(), [
        "created_at",
        "created_by",
        "created_by_id",
        "expires_at",
        "id",
        "last_used_at",
        "name",
        "prefix",
        "responsible",
        "scopes",
      ]);
      for (const token of [made.token, api.service.token]) assert.equal(answer.text.includes(token), false);
    });

    it("200 reports the last use to the minute (AZ-4)", async () => {
      const { id, token } = await api.tokenWith("admin:read");
      const lastUsed = async () => (await list()).data.find((entry: { id: string }) => entry.id === id).last_used_at;
      assert.equal(await lastUsed(), null);
      const first = new Date(api.clock.now()).toISOString();
      const use = () => api.service.http("/api/groups", { headers: bearer(token) });
      await use();
      assert.equal(await lastUsed(), first);
      api.clock.advance(59_999);
      await use();
      assert.equal(await lastUsed(), first);
      api.clock.advance(1);
      await use();
      assert.equal(await lastUsed(), new Date(api.clock.now()).toISOString());
    });

    it("paginates all tokens, oldest first", async () => {
      for (let i = 0; i < 5; i++) {
        api.clock.advance(1);
        await api.tokenWith("admin:read");
      }
      const all = (await list()).data;
      const walked: unknown[] = [];
      for (let skip = 0, hasMore = true; hasMore; skip += 2) {
        const { data, pagination } = await list(`?skip=${skip}&limit=2`);
        walked.push(...data);
        hasMore = pagination.hasMore;
      }
      assert.deepEqual(walked, all);
    });
  },
  { clock: "by-hand" },
);
