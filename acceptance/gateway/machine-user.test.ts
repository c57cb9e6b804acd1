import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { MachineUser } from "../kit/api.ts";
import { send } from "../kit/http.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

const HELLO = { protocolVersion: "2024-11-05", capabilities: {}, clientInfo: { name: "acceptance", version: "1" } };

forEachTarget("POST {gateway_url}/mcp", (api) => {
  let upstream: Upstream;
  let bot: MachineUser;
  let slug: string;
  let group: string;

  before(async () => {
    upstream = await startUpstream();
    slug = await api.serverOf(upstream.url);
    bot = await api.machineUser();
    group = await api.group({ slugs: [slug], emails: [bot.email] });
  });
  after(() => upstream.close());

  const call = (user: MachineUser, name: string, args: object = {}) =>
    api.mcp(user.credential, "tools/call", { name, arguments: args });
  const arrived = () => upstream.calls.filter(({ method }) => method === "tools/call");

  describe("methods", () => {
    it("initialize returns a protocol version, capabilities, and the gateway's name [S4.5-initialize S9.6-protocol-version S1-gateway]", async () => {
      const { status, body } = await api.mcp(bot.credential, "initialize", HELLO);
      assert.deepEqual([status, body.jsonrpc, body.id], [200, "2.0", 1]);
      const { protocolVersion, capabilities, serverInfo } = body.result;
      assert.equal(protocolVersion, "2024-11-05");
      for (const key of ["tools", "prompts", "resources"]) assert.equal(typeof capabilities[key], "object", key);
      assert.deepEqual([typeof serverInfo.name, typeof serverInfo.version], ["string", "string"]);
    });

    it("tools/list returns the caller's tools, named {server-slug}__{tool} [S4.5-tools-list S4.5-rule-1]", async () => {
      const { status, body } = await api.mcp(bot.credential, "tools/list");
      assert.deepEqual([status, body.jsonrpc, body.id, "error" in body], [200, "2.0", 1, false]);
      const tools: { name: string; description: string }[] = body.result.tools;
      assert.deepEqual(tools.map(({ name }) => name).sort(), [`${slug}__add_numbers`, `${slug}__echo`]);
      assert.equal(tools.find(({ name }) => name.endsWith("echo"))?.description, "Says it again.");
    });

    it("tools/call returns the upstream's output in result.content [S4.5-tools-call S1-gateway]", async () => {
      const args = { text: "héllo", nested: { list: [1, 2.5, null, true] } };
      const { status, body } = await call(bot, `${slug}__echo`, args);
      assert.deepEqual([status, body.jsonrpc, body.id], [200, "2.0", 1]);
      const [content] = body.result.content;
      assert.equal(content.type, "text");
      const { name, arguments: received } = JSON.parse(content.text);
      assert.deepEqual([name, received], ["echo", args]);
      assert.equal(arrived().at(-1)?.headers.authorization, undefined);
    });

    it("responds with the caller's request ID, a number or text [S4.5-request]", async () => {
      for (const id of [7, "seven"]) {
        const answer = await send(api.target.gatewayUrl, "/mcp", {
          method: "POST",
          headers: {
            authorization: `Bearer ${bot.credential}`,
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
          },
          body: JSON.stringify({ jsonrpc: "2.0", id, method: "tools/list", params: {} }),
        });
        assert.equal(answer.body.id, id);
      }
    });
  });

  describe("access", () => {
    it("lists and calls only tools of servers in the caller's groups [S4.5-rule-2 S2.5-control S5.4-membership]", async () => {
      const other = await api.serverOf(upstream.url);
      const stranger = await api.machineUser();
      await api.group({ slugs: [other], emails: [stranger.email] });
      assert.deepEqual((await api.toolNames(stranger.credential)).sort(), [`${other}__add_numbers`, `${other}__echo`]);
      const before = arrived().length;
      const refused = await call(stranger, `${slug}__echo`);
      const unknown = await call(stranger, `${api.unique("none")}__echo`);
      assert.deepEqual([refused.status, refused.body.error.code], [unknown.status, unknown.body.error.code]);
      assert.equal(refused.body.error.code, -32602);
      assert.equal("result" in refused.body, false);
      assert.equal(arrived().length, before);
    });

    it("initialize succeeds and the list is empty without a group [S4.5-rule-3]", async () => {
      const loner = await api.machineUser();
      assert.equal((await api.mcp(loner.credential, "initialize", HELLO)).status, 200);
      assert.deepEqual(await api.toolNames(loner.credential), []);
      await api.group({ emails: [loner.email] });
      assert.deepEqual(await api.toolNames(loner.credential), []);
    });

    it("a new server is in the list and callable in the first requests after its creation [S3-immediately]", async () => {
      const user = await api.machineUser();
      const name = await api.group({ emails: [user.email], settings: { auto_assign_mcps: true } });
      try {
        const mcp_proxy = JSON.stringify({ type: "http", url: upstream.url });
        const created = await api.server({ mcp_proxy, status: "active" });
        const scoped = await api.body(200, "GET", "/api/mcp-servers?limit=200", undefined, { "x-service-group": name });
        assert.ok(scoped.data.some((server: { slug: string }) => server.slug === created));
        assert.ok((await api.toolNames(user.credential)).includes(`${created}__echo`));
        assert.equal((await call(user, `${created}__echo`)).body.result.content.length, 1);
      } finally {
        // It would collect the servers of other tests.
        await api.body(200, "DELETE", `/api/groups?name=${name}`);
      }
    });

    it("a change is effective when the API responds [S3-immediately S3-update-status S5.4-membership]", async () => {
      const user = await api.machineUser();
      const name = await api.group({ slugs: [slug], emails: [user.email] });
      const tools = async () => (await api.toolNames(user.credential)).length;
      assert.equal(await tools(), 2);
      await api.body(200, "DELETE", `/api/groups/${name}/users?email=${user.email}`);
      assert.equal(await tools(), 0);
      await api.body(200, "POST", `/api/groups/${name}/users`, { emails: [user.email] });
      assert.equal(await tools(), 2);
      await api.body(200, "PATCH", `/api/mcp-servers?slug=${slug}`, { status: "draft" });
      assert.equal(await tools(), 0);
      await api.body(200, "PATCH", `/api/groups?name=${name}`, { settings: { show_draft_mcps: true } });
      assert.equal(await tools(), 2);
      await api.body(200, "PATCH", `/api/mcp-servers?slug=${slug}`, { status: "active" });
      assert.equal(await tools(), 2);
    });

    it("renaming a server changes the names of its tools and no access [S4.5-rule-1]", async () => {
      const old = await api.serverOf(upstream.url);
      const user = await api.machineUser();
      await api.group({ slugs: [old], emails: [user.email] });
      const renamed = api.unique("renamed");
      await api.body(200, "PATCH", `/api/mcp-servers?slug=${old}`, { slug: renamed });
      assert.ok((await api.toolNames(user.credential)).includes(`${renamed}__echo`));
      assert.equal((await call(user, `${renamed}__echo`)).body.result.content.length, 1);
      assert.equal((await call(user, `${old}__echo`)).body.error.code, -32602);
    });
  });

  it("logs each call with its caller [S4.5-rule-4]", async () => {
    const user = await api.machineUser();
    await api.body(200, "POST", `/api/groups/${group}/users`, { emails: [user.email] });
    await call(user, `${slug}__echo`);
    await call(user, `${slug}__nothing`);
    await call(bot, `${slug}__echo`);
    const { data } = await api.body(200, "GET", `/api/logs?user=${user.email}&method=tools/call`);
    const entries = data.map((entry: Record<string, unknown>) => [entry.user_email, entry.user_id, entry.outcome]);
    assert.deepEqual(entries, [
      [user.email, user.id, "denied"],
      [user.email, user.id, "ok"],
    ]);
    assert.deepEqual([data[1].server_slug, data[1].tool], [slug, "echo"]);
  });

  it("401 with invalid_token for an incomplete, wrong, or missing credential [S5.3-credential S5.3-half S7-gateway-401]", async () => {
    const [key, secret] = bot.credential.split(":");
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const json = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const wrong = [key, secret, `${key}:`, `:${secret}`, `${secret}:${key}`, `${key}:${secret}x`, api.target.token];
    for (const authorization of [undefined, "", ...wrong.map((text) => `Bearer ${text}`), bot.credential]) {
      const headers = { ...json, ...(authorization === undefined ? {} : { authorization }) };
      const answer = await send(api.target.gatewayUrl, "/mcp", { method: "POST", headers, body });
      assert.deepEqual([answer.status, answer.body], [401, { error: "invalid_token" }], String(authorization));
    }
  });
});
