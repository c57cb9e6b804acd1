import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqliteApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { eraHeaders, requestText } from "#test/mcp-messages";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

onSqliteApi("the caller's credential (OA-13)", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    upstream = await startRawUpstream({ prompts: [{ name: "plan" }] });
    await createSyncedServer(api.service, "Echo", upstream.url);
    bot = await createMachineUser(api.service, "Bot");
    await createGroup(api.service, "bots", { slugs: ["echo"], emails: [bot.email] });
  });
  after(() => upstream.close());

  it("never reaches an upstream, in any encoding, whichever headers the caller sends", async () => {
    upstream.seen.length = 0;
    const more = {
      cookie: `session=${bot.credential}`,
      "x-api-key": bot.credential,
      "proxy-authorization": "Basic eA==",
    };
    for (const [method, name] of [
      ["tools/call", "echo__echo"],
      ["prompts/get", "echo__plan"],
    ] as const) {
      const message = requestText("modern", method, [`"name":"${name}"`, '"arguments":{}']);
      const answer = await api.service.mcp(bot.credential, message, { ...eraHeaders("modern", method, name), ...more });
      assert.equal(answer.status, 200, answer.text);
    }
    assert.ok(upstream.count("tools/call") > 0 && upstream.count("prompts/get") > 0);
    const sent = upstream.seen.map(({ headers, body }) => JSON.stringify(headers) + body.toString("utf8")).join("\n");
    const [key = "", secret = ""] = bot.credential.split(":");
    for (const text of [key, secret, bot.credential]) {
      for (const encoding of ["utf8", "base64", "base64url", "hex"] as const) {
        const spelled = Buffer.from(text).toString(encoding).replace(/=+$/, "");
        assert.ok(!sent.includes(spelled), `${encoding} of the credential`);
      }
    }
  });
});
