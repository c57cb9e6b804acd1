import assert from "node:assert/strict";
import { it } from "node:test";
import { bearer, forEachApi } from "#test/api";

/** D8. The suite's clock stands still, so all of it happens within one minute until the last test moves it. */
forEachApi(
  "too many wrong credentials",
  (api) => {
    const groups = (headers: Record<string, string>) => api.service.http("/api/groups", { headers });
    const right = () => groups(bearer(api.service.token));

    it("missing credentials never count", async () => {
      for (let i = 0; i < 120; i++) assert.equal((await groups({})).status, 401);
      assert.equal((await right()).status, 200);
    });

    it("a hundred wrong ones get the plain 401, and right ones in between are served", async () => {
      for (let i = 0; i < 99; i++) assert.equal("retry-after" in (await groups(bearer(`wrong-${i}`))).headers, false);
      assert.equal((await right()).status, 200);
      assert.equal("retry-after" in (await groups(bearer("the hundredth"))).headers, false);
    });

    it("then the same 401 says when to come back, and the right one is refused without a look", async () => {
      api.clock.advance(20_500);
      const before = await api.db.selectFrom("api_tokens").select(["id", "last_used_at"]).execute();
      for (const headers of [bearer("wrong"), bearer(api.service.token)]) {
        const answer = await groups(headers);
        assert.deepEqual([answer.status, answer.body], [401, { error: "Unauthorized" }]);
        assert.equal(answer.headers["www-authenticate"], "Bearer");
        assert.equal(answer.headers["retry-after"], "40");
      }
      assert.equal((await api.service.http("/api/nothing", { headers: bearer("x") })).headers["retry-after"], "40");
      assert.deepEqual(await api.db.selectFrom("api_tokens").select(["id", "last_used_at"]).execute(), before);
      assert.equal("retry-after" in (await groups({})).headers, false);
    });

    it("a minute after the first wrong one, all is as before", async () => {
      api.clock.advance(39_499);
      assert.equal((await right()).status, 401);
      api.clock.advance(1);
      assert.equal((await right()).status, 200);
      assert.equal("retry-after" in (await groups(bearer("wrong"))).headers, false);
    });
  },
  { clock: "by-hand" },
);
