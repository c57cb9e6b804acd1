import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { onSqliteApi } from "#test/api";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { type CallerEra, eraHeaders, requestText } from "#test/mcp-messages";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const tool = (description: string) => ({ name: "read", description, inputSchema: { type: "object" } });

onSqliteApi("server warnings in lists", (api) => {
  let upstream: RawUpstream;
  let failing: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    upstream = await startRawUpstream({ tools: [tool("Reads")] });
    failing = await startRawUpstream({ tools: [tool("Reads")] });
    bot = await createMachineUser(api.service, "Bot");
    const slugs = [
      await createSyncedServer(api.service, "Fine", upstream.url),
      await createSyncedServer(api.service, "Lame", failing.url),
    ];
    await createGroup(api.service, "Staff", { slugs, emails: [bot.email], settings: { show_draft_mcps: true } });
  });
  after(() => Promise.all([upstream.close(), failing.close()]));

  const warnings = async (era: CallerEra, method = "tools/list") => {
    const answer = await api.service.mcp(bot.credential, requestText(era, method), eraHeaders(era, method));
    assert.ok(answer.body.result, answer.text);
    return answer.body.result._meta?.["io.gatehouse/servers"];
  };
  const sync = (slug: string) => api.call("POST", `/api/mcp-servers/${slug}/sync`);
  /** A sync may join one that started before the latest write, so it is repeated. */
  const syncUntil = async (slug: string, condition: () => Promise<boolean>) => {
    do await sync(slug);
    while (!(await condition()));
  };
  const detail = async (slug: string) => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;

  it("contain nothing while all servers are healthy", async () => {
    assert.equal(await warnings("modern"), undefined);
    assert.equal(await warnings("legacy"), undefined);
  });

  it("contain a failed sync with its cause, in both eras and in every list, until a sync succeeds", async () => {
    failing.behave = () => ({ status: 503 });
    await syncUntil("lame", async () => (await detail("lame")).sync_error !== null);
    const message = 'Server "lame" answered with HTTP 503; its lists are from the last successful sync';
    for (const era of ["modern", "legacy"] as const) {
      for (const method of ["tools/list", "prompts/list", "resources/list", "resources/templates/list"]) {
        assert.deepEqual(await warnings(era, method), [{ server: "lame", problem: "sync_failed", message }]);
      }
    }
    failing.behave = () => "json";
    await syncUntil("lame", async () => (await detail("lame")).sync_error === null);
    assert.equal(await warnings("legacy"), undefined);
  });

  it("contain the number of held tools", async () => {
    await api.call("PATCH", "/api/mcp-servers?slug=lame", { tool_policy: "hold" });
    failing.tools = [tool("Reads and mails")];
    await syncUntil("lame", async () => (await detail("lame")).tools_held_count === 1);
    const message = '1 tool of server "lame" changed and must be accepted by an admin';
    assert.deepEqual(await warnings("modern"), [{ server: "lame", problem: "tools_held", message }]);
    await api.call("POST", "/api/mcp-servers/lame/tools/accept");
    assert.equal(await warnings("modern"), undefined);
  });

  it("contain servers that need setup, or that are not synced until someone connects", async () => {
    const auth_settings = { authType: "proxy-api-key" };
    const slugs = [
      await createServer(api.service, "Bare"),
      await createServer(api.service, "Keyed", upstream.url, { auth_settings }),
    ];
    await api.call("POST", "/api/groups/staff/integrations", { slugs });
    assert.deepEqual(
      (await warnings("legacy")).map(({ server, problem }: { server: string; problem: string }) => [server, problem]),
      [
        ["bare", "needs_setup"],
        ["keyed", "not_read"],
      ],
    );
  });
});
