import assert from "node:assert/strict";
import { it } from "node:test";
import { systemRandom } from "#lib/random";
import { newAccessKey, newMachineSecret } from "#lib/tokens";
import { forEachApi } from "#test/api";
import { createMachineUser } from "#test/factories";

const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };

forEachApi(
  "wrong secrets at the gateway",
  (api) => {
    const invented = () => `${newAccessKey(systemRandom)}:${newMachineSecret(systemRandom)}`;
    const status = async (credential: string) => (await api.service.mcp(credential, LIST)).status;

    it("meet a limit after a hundred per minute, which does not affect valid credentials", async () => {
      const bot = await createMachineUser(api.service, "bot");
      const [key = ""] = bot.credential.split(":");
      for (let n = 0; n < 500; n++) {
        const wrong = n % 2 === 0 ? invented() : `${key}:${newMachineSecret(systemRandom)}`;
        const answer = await api.service.mcp(wrong, LIST);
        assert.deepEqual([answer.status, answer.body], [401, { error: "invalid_token" }]);
        assert.equal(answer.headers["retry-after"], n < 100 ? undefined : "60", `${n}`);
        if (n % 100 === 99) assert.equal(await status(bot.credential), 200);
      }
      const late = await createMachineUser(api.service, "late");
      assert.equal(await status(late.credential), 200);
      assert.equal(
        (await api.service.http("/api/me", { headers: { authorization: `Bearer ${api.service.token}` } })).status,
        200,
      );
    });

    it("count at the URLs of plugins too", async () => {
      api.clock.advance(60_000);
      const fetchWith = (credential: string) => {
        const authorization = `Basic ${Buffer.from(credential).toString("base64")}`;
        return api.service.http("/plugins/tools.git/info/refs?service=git-upload-pack", { headers: { authorization } });
      };
      for (let n = 0; n < 102; n++) {
        const answer = await fetchWith(invented());
        assert.deepEqual([answer.status, answer.headers["retry-after"]], [401, n < 100 ? undefined : "60"], `${n}`);
      }
      assert.equal((await api.service.mcp(invented(), LIST)).headers["retry-after"], "60");
      const bot = await createMachineUser(api.service, "fetcher");
      assert.equal((await fetchWith(bot.credential)).status, 404);
    });

    it("do not count if there is no credential, and are forgotten after a minute", async () => {
      api.clock.advance(60_000);
      for (let n = 0; n < 120; n++) {
        const answer = await api.service.http("/mcp", { method: "POST", body: "{}" });
        assert.deepEqual([answer.status, answer.headers["retry-after"]], [401, undefined]);
      }
      assert.equal((await api.service.mcp(invented(), LIST)).headers["retry-after"], undefined);
    });
  },
  { clock: "by-hand" },
);
