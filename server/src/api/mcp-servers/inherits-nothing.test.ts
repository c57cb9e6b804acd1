import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createServer, type MachineUser } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const KEY = "key-of-the-old-server";
const KEYED = { auth_settings: { authType: "proxy-api-key" } };

forEachApi("a record that gets the name of another one inherits nothing (AZ-7)", (api) => {
  let [old, next]: RawUpstream[] = [];
  let bot: MachineUser;
  before(async () => {
    [old, next] = [await startRawUpstream(), await startRawUpstream()];
    bot = await createMachineUser(api.service, "Bot");
  });
  after(async () => {
    await old?.close();
    await next?.close();
  });
  const tools = async () => {
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const answer = await api.service.mcp(bot.credential, JSON.stringify(list));
    return answer.body.result.tools.map(({ name }: { name: string }) => name);
  };
  const call = (name: string) => {
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } };
    return api.service.mcp(bot.credential, JSON.stringify(message));
  };

  it("a server with a slug that was deleted gets no credential, no group, and no tools", async () => {
    const slug = await createServer(api.service, "Keyed", old?.url, KEYED);
    await createGroup(api.service, "keyed", { slugs: [slug], emails: [bot.email] });
    const stored = await api.call("PUT", `/api/user/api-key?email=${bot.email}&mcp=${slug}`, { key: KEY });
    assert.equal(stored.status, 200, stored.text);
    assert.ok((await call(`${slug}__echo`)).body.result);
    assert.ok(JSON.stringify(old?.seen.map(({ headers }) => headers)).includes(KEY));

    await api.call("DELETE", `/api/mcp-servers?slug=${slug}`);
    assert.equal(await createServer(api.service, "Keyed", next?.url, KEYED), slug);
    assert.deepEqual(await tools(), [], "no group");
    await api.call("POST", "/api/groups/keyed/integrations", { slugs: [slug] });
    await api.call("POST", `/api/mcp-servers/${slug}/sync`);
    assert.deepEqual(await tools(), [], "no tools");
    assert.equal((await call(`${slug}__echo`)).body.result?.isError ?? true, true);
    assert.ok(!JSON.stringify(next?.seen.map(({ headers }) => headers)).includes(KEY), "no credential");
  });

  it("a server with a slug that another one gave up gets none of its credentials either", async () => {
    const slug = await createServer(api.service, "Renamed", old?.url, KEYED);
    await createGroup(api.service, "renamed", { slugs: [slug], emails: [bot.email] });
    await api.call("PUT", `/api/user/api-key?email=${bot.email}&mcp=${slug}`, { key: KEY });
    await api.call("PATCH", `/api/mcp-servers?slug=${slug}`, { slug: "moved-away" });
    assert.equal(await createServer(api.service, "Renamed", next?.url, KEYED), slug);
    await api.call("POST", "/api/groups/renamed/integrations", { slugs: [slug] });
    await call(`${slug}__echo`);
    assert.ok(!JSON.stringify(next?.seen.map(({ headers }) => headers)).includes(KEY));
    assert.ok((await call("moved-away__echo")).body.result, "the renamed server keeps its credentials");
  });

  it("a group with a name that another one gave up has no members and no servers", async () => {
    const slug = await createServer(api.service, "Open", old?.url);
    await api.call("POST", `/api/mcp-servers/${slug}/sync`);
    await createGroup(api.service, "Finance", { slugs: [slug], emails: [bot.email] });
    await api.call("PATCH", "/api/groups?name=Finance", { name: "Treasury" });
    await createGroup(api.service, "Finance");
    const { data } = (await api.call("GET", "/api/groups?name=finance")).body;
    const [finance] = data.filter(({ name }: { name: string }) => name.toLowerCase() === "finance");
    assert.deepEqual([finance?.mcp_count ?? 0, finance?.user_count ?? 0], [0, 0], JSON.stringify(finance));
    const before = await tools();
    await api.call("DELETE", "/api/groups?name=Finance");
    assert.deepEqual(await tools(), before, "access belongs to the renamed group");
    await api.call("DELETE", "/api/groups?name=Treasury");
    assert.ok(!(await tools()).some((name: string) => name.startsWith(`${slug}__`)));
  });
});
