import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { rpc } from "#test/gateway-kit";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

forEachApi("health of servers", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    upstream = await startRawUpstream({ tools: [{ name: "one", inputSchema: { type: "object" } }] });
    bot = await createMachineUser(api.service, "Bot");
    await createGroup(api.service, "Bots", { emails: [bot.email], settings: { auto_assign_mcps: true } });
  });
  after(() => upstream.close());

  const detail = async (slug: string) => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;
  const attention = async (): Promise<string[]> => {
    const { data } = (await api.call("GET", "/api/mcp-servers?needs_attention=true&fields=slug,health(status)")).body;
    return data.map(({ slug, health }: { slug: string; health: { status: string } }) => `${slug}: ${health.status}`);
  };
  const callOne = (slug: string) =>
    api.service.mcp(bot.credential, rpc("tools/call", { name: `${slug}__one`, arguments: {} }));

  it("is not_synced without a server URL, and before the first user connects", async () => {
    const bare = await createServer(api.service, "Bare");
    assert.deepEqual((await detail(bare)).health, {
      status: "not_synced",
      cause: null,
      message: "No server URL is set",
      since: null,
    });
    const keyed = await createServer(api.service, "Keyed", upstream.url, {
      auth_settings: { authType: "proxy-api-key" },
    });
    assert.match((await detail(keyed)).health.message, /after the first user connects/);
  });

  it("is unreachable with the cause after a failed sync, since the first failure", async () => {
    const closed = await startRawUpstream();
    await closed.close();
    const slug = await createServer(api.service, "Closed", closed.url);
    await api.call("POST", `/api/mcp-servers/${slug}/sync`);
    const { health } = await detail(slug);
    assert.deepEqual([health.status, health.cause, health.message], ["unreachable", "refused", "Connection refused"]);
    assert.ok(Date.parse(health.since) > 0);
    await setTimeout(5);
    await api.call("POST", `/api/mcp-servers/${slug}/sync`);
    assert.equal((await detail(slug)).health.since, health.since);
    assert.ok((await attention()).includes("closed: unreachable"));
  });

  it("is failing with the cause while calls fail, and healthy again after they succeed", async () => {
    const slug = await createSyncedServer(api.service, "Flaky", upstream.url);
    assert.deepEqual((await detail(slug)).health, { status: "healthy", cause: null, message: null, since: null });
    upstream.behave = ({ method }) => (method === "tools/call" ? { status: 500 } : "json");
    for (let calls = 0; calls < 3; calls++) await callOne(slug);
    while ((await detail(slug)).recent_calls?.calls !== 3) await setTimeout(20);
    const { health, sync_error } = await detail(slug);
    assert.deepEqual([health.status, health.cause, health.message], ["failing", "server_error", "HTTP 500"]);
    assert.ok(Date.parse(health.since) > 0);
    assert.equal(sync_error, null);
    assert.ok((await attention()).includes("flaky: failing"));
    upstream.behave = () => "json";
    for (let calls = 0; calls < 3; calls++) await callOne(slug);
    while ((await detail(slug)).recent_calls.calls !== 6) await setTimeout(20);
    assert.equal((await detail(slug)).health.status, "healthy");
    assert.ok(!(await attention()).some((entry) => entry.startsWith("flaky")));
  });
});
