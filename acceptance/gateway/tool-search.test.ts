import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { MachineUser } from "../kit/api.ts";
import { send } from "../kit/http.ts";
import { forEachTarget } from "../kit/suite.ts";
import { startUpstream, type Upstream } from "../kit/upstream.ts";

forEachTarget("POST {gateway_url}/mcp?tools=search", (api) => {
  let upstream: Upstream;
  let bot: MachineUser;
  let slug: string;

  before(async () => {
    upstream = await startUpstream();
    slug = await api.serverOf(upstream.url);
    bot = await api.machineUser();
    await api.group({ slugs: [slug], emails: [bot.email] });
  });
  after(() => upstream.close());

  const request = async (method: string, params: object = {}) => {
    const { body } = await send(api.target.gatewayUrl, "/mcp?tools=search", {
      method: "POST",
      headers: { authorization: `Bearer ${bot.credential}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    return body;
  };
  const call = (name: string, args: object) => request("tools/call", { name: `gatehouse__${name}`, arguments: args });

  it("lists three tools, which the default list does not contain", async () => {
    const { result } = await request("tools/list");
    const names = result.tools.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["gatehouse__find_tools", "gatehouse__describe_tool", "gatehouse__call_tool"]);
    const all = await api.toolNames(bot.credential);
    assert.deepEqual(all.sort(), [`${slug}__add_numbers`, `${slug}__echo`]);
  });

  it("finds, describes and calls a tool, and logs the call under its name", async () => {
    const found = (await call("find_tools", { query: "add numbers" })).result.structuredContent.tools;
    const { name } = found[0];
    assert.equal(name, `${slug}__add_numbers`);
    assert.equal((await call("describe_tool", { name })).result.structuredContent.name, name);
    const echo = `${slug}__echo`;
    const { result } = await call("call_tool", { name: echo, arguments: { text: "héllo" } });
    assert.deepEqual(JSON.parse(result.content[0].text), { name: "echo", arguments: { text: "héllo" } });
    const { body } = await api.call("GET", `/api/logs?server=${slug}&limit=1`);
    assert.deepEqual([body.data[0].tool, body.data[0].outcome], ["echo", "ok"]);
  });

  it("answers calls of unknown tools like the default URL does", async () => {
    const params = { name: "nowhere__echo", arguments: {} };
    const [nested, direct] = [await call("call_tool", params), await api.mcp(bot.credential, "tools/call", params)];
    assert.deepEqual(nested.error, direct.body.error);
  });
});
