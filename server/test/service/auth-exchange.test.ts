import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { systemClock } from "#lib/clock";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createSyncedServer } from "#test/factories";
import { AUDIENCE, startTokenIssuer, type TokenIssuer } from "#test/token-issuer";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";

/** A workload with the official SDK client, from its own token to a tool. */
forEachApi("a workload with a token of a trusted issuer", (api) => {
  let idp: TokenIssuer;
  let upstream: EchoUpstream;
  before(async () => {
    idp = await startTokenIssuer(systemClock);
    upstream = await startEchoUpstream({ eras: "both" });
    await createSyncedServer(api.service, "Echo", upstream.url);
    const bot = await createMachineUser(api.service, "CI");
    await createGroup(api.service, "bots", { slugs: ["echo"], emails: [bot.email] });
    const { status, text } = await api.call("POST", "/api/auth-exchange/providers", {
      ...{ name: "CI", issuer: idp.issuer, audiences: [AUDIENCE], require_api_key: false },
      conditions: [{ claim: "repository", operator: "equals", value: "acme/app" }],
      subject: { mode: "fixed", machine_user: bot.email },
    });
    assert.equal(status, 201, text);
  });
  after(() => Promise.all([idp?.close(), upstream?.close()]));

  it("calls a tool, keeps working after the issuer rotates its keys, and stops when the issuer is disabled", async () => {
    const exchange = async () => {
      const jwt = await idp.sign({ sub: "repo:acme/app", repository: "acme/app" });
      const headers = { authorization: `Bearer ${jwt}` };
      const { body, text } = await api.service.http("/api/auth-exchange", { method: "POST", headers });
      assert.ok(body.data, text);
      return String(body.data.access_token);
    };
    const token = await exchange();
    const client = new Client({ name: "ci", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${api.service.url}/mcp`), { requestInit }));
    const called = await client.callTool({ name: "echo__echo", arguments: { text: "hello" } });
    assert.match(JSON.stringify(called.content), /hello/);
    await client.close();
    const [row] = (await api.call("GET", "/api/logs?tool=echo&limit=1")).body.data;
    assert.deepEqual([row.auth, row.user_email, row.outcome], ["exchange:ci", "ci@machine.example.com", "ok"]);
    const fetches = idp.requests.length;
    for (let calls = 0; calls < 20; calls++) {
      const answer = await api.service.mcp(token, { jsonrpc: "2.0", id: calls, method: "tools/list" });
      assert.equal(answer.status, 200);
    }
    assert.equal(idp.requests.length, fetches);
    await api.call("PATCH", "/api/auth-exchange/providers?slug=ci", { enabled: false });
    const refused = await api.service.mcp(token, { jsonrpc: "2.0", id: 1, method: "tools/list" });
    assert.deepEqual([refused.status, refused.body], [401, { error: "invalid_token" }]);
  });
});
