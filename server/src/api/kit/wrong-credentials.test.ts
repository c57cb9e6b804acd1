import assert from "node:assert/strict";
import { it } from "node:test";
import { bearer, forEachApi } from "#test/api";

/** D8. The suite's clock is stopped, so everything happens within one minute until the last test advances it. */
forEachApi(
  "too many wrong credentials",
  (api) => {
    const groups = (headers: Record<string, string>) => api.service.http("/api/groups", { headers });
    const right = () => groups(bearer(api.service.token));

    it("does not count missing credentials", async () => {
      for (let i = 0; i < 120; i++) assert.equal((await groups({})).status, 401);
      assert.equal((await right()).status, 200);
    });

    it("answers a hundred wrong credentials with a plain 401, and serves valid ones in between", async () => {
      for (let i = 0; i < 99; i++) assert.equal("retry-after" in (await groups(bearer(`wrong-${i}`))).headers, false);
      assert.equal((await right()).status, 200);
      assert.equal("retry-after" in (await groups(bearer("the hundredth"))).headers, false);
    });

    it("then adds Retry-After to the 401, and still accepts every valid credential", async () => {
      api.clock.advance(20_500);
      for (let i = 0; i < 20; i++) {
        const answer = await groups(bearer("wrong"));
        assert.deepEqual([answer.status, answer.body], [401, { error: "Unauthorized" }]);
        assert.equal(answer.headers["www-authenticate"], "Bearer");
        assert.equal(answer.headers["retry-after"], "40");
        assert.equal((await right()).status, 200);
      }
      assert.equal((await api.service.http("/api/nothing", { headers: bearer("x") })).headers["retry-after"], "40");
      assert.equal("retry-after" in (await groups({})).headers, false);
    });

    it("does not count wrong credentials against a token that is created later", async () => {
      const { token } = await api.tokenWith("admin:read");
      assert.equal((await groups(bearer(token))).status, 200);
    });

    it("omits Retry-After again one minute after the first wrong credential", async () => {
      api.clock.advance(39_499);
      assert.equal("retry-after" in (await groups(bearer("wrong"))).headers, true);
      api.clock.advance(1);
      assert.equal("retry-after" in (await groups(bearer("wrong"))).headers, false);
    });
  },
  { clock: "by-hand" },
);
