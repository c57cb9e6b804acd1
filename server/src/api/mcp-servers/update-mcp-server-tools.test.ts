import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createMachineUser, createServer, createSyncedServer, type MachineUser } from "#test/factories";
import { type RawTool, type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const tool = (name: string, rest: object = {}): RawTool => ({ name, inputSchema: { type: "object" }, ...rest });
const TOOLS = [tool("read", { title: "Read it", description: "Reads" }), tool("write"), tool("say more!")];
const NO_LIMITS = { calls_per_minute: null, concurrent_calls: null };
const SHORT_FORM = "say-more-17911408";

forEachApi("PATCH /api/mcp-servers/tools", (api) => {
  let upstream: RawUpstream;
  let bot: MachineUser;
  let slug: string;
  before(async () => {
    upstream = await startRawUpstream({ tools: TOOLS });
    slug = await createSyncedServer(api.service, "Switched", upstream.url);
    bot = await createMachineUser(api.service, "bot");
    await createGroup(api.service, "bots", { slugs: [slug], emails: [bot.email] });
  });
  after(() => upstream.close());

  const path = () => `/api/mcp-servers/tools?slug=${slug}`;
  const switchTools = async (body: object) => {
    const answer = await api.call("PATCH", path(), body);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const sync = async (...tools: RawTool[]) => {
    upstream.tools = tools;
    assert.equal((await api.call("POST", `/api/mcp-servers/${slug}/sync`)).body.data.sync_error, null);
  };
  const get = async () => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;
  const onAndOff = async () =>
    Object.fromEntries(
      (await get()).all_tools.map((each: { slug: string; enabled: boolean }) => [each.slug, each.enabled]),
    );
  const gateway = async (method: string, params: object) =>
    (await api.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method, params })).body;
  const listed = async () =>
    (await gateway("tools/list", {})).result.tools.map((each: { name: string }) => each.name.split("__")[1]);
  const call = (name: string) => gateway("tools/call", { name: `${slug}__${name}`, arguments: {} });

  describe("200", () => {
    it("returns the state of every tool and applies it to records and gateway", async () => {
      const switched = await switchTools({ disable: ["read"] });
      assert.deepEqual([switched.slug, switched.tools_count], [slug, 2]);
      const hints = { read_only: null, destructive: null, idempotent: null, open_world: null };
      const pin = {
        held: false,
        rejected: false,
        change: null,
        blocked_by: null,
        invisible_characters: [],
        hints,
        required_capabilities: [],
        limits: NO_LIMITS,
      };
      assert.deepEqual(
        switched.tools.map(({ digest: _digest, ...rest }: { digest: string }) => rest),
        [
          { name: "Read it", slug: "read", upstream_name: "read", description: "Reads", enabled: false, ...pin },
          { name: "write", slug: "write", upstream_name: "write", description: "", enabled: true, ...pin },
          { name: "say more!", slug: SHORT_FORM, upstream_name: "say more!", description: "", enabled: true, ...pin },
        ],
      );
      const { tools, tools_count, all_tools } = await get();
      assert.deepEqual([tools_count, tools.length, all_tools.length], [2, 2, 3]);
      assert.deepEqual(Object.keys(tools[0]).sort(), ["description", "name", "slug"]);
      const [entry] = (await api.call("GET", "/api/mcp-servers?fields=tools,tools_count&search=switched")).body.data;
      assert.deepEqual(entry, { tools_count, tools });
      assert.deepEqual(await listed(), ["write", SHORT_FORM]);
      assert.ok((await call("write")).result);
    });

    it("makes a disabled tool behave like an unknown one (D26)", async () => {
      const off = await call("read");
      const unknown = await call("nothing");
      assert.equal(off.error.code, -32602);
      assert.equal(off.error.message.replace("read", "nothing"), unknown.error.message);
      await switchTools({ enable: ["read"] });
      assert.ok((await call("read")).result);
    });

    it("accepts slugs and upstream names, both directions in one request, and repetitions", async () => {
      await switchTools({ disable: ["say more!", "write"] });
      assert.deepEqual(await onAndOff(), { read: true, write: false, [SHORT_FORM]: false });
      assert.ok((await call("say more!")).error);
      const both = await switchTools({ enable: [SHORT_FORM, "say more!", "write"], disable: ["read", "read"] });
      assert.equal(both.tools_count, 2);
      assert.deepEqual(await onAndOff(), { read: false, write: true, [SHORT_FORM]: true });
      await switchTools({ enable: ["read"], disable: [] });
    });

    it("keeps the state across syncs, even while the upstream does not list the tool, and enables new tools", async () => {
      await switchTools({ disable: ["write"] });
      await sync(...TOOLS);
      assert.equal((await onAndOff()).write, false);
      await sync(tool("read"), tool("new"));
      assert.deepEqual(await onAndOff(), { read: true, new: true });
      await api.expect(400, { error: "Tools not found: write" }, "PATCH", path(), { enable: ["write"] });
      assert.deepEqual(await listed(), ["read", "new"]);
      await sync(...TOOLS);
      assert.deepEqual(await onAndOff(), { read: true, write: false, [SHORT_FORM]: true });
      await switchTools({ enable: ["write"] });
      assert.deepEqual(await listed(), ["read", "write", SHORT_FORM]);
    });

    it("sets, merges and removes the limits of tools, by either name, with both values in the audit log", async () => {
      const limitsOf = (tools: { slug: string; limits: object }[]) =>
        Object.fromEntries(tools.map((each) => [each.slug, each.limits]));
      const limits = [
        { tool: "read", calls_per_minute: 60 },
        { tool: "say more!", concurrent_calls: 2 },
      ];
      const { tools } = await switchTools({ limits });
      const first = { calls_per_minute: 60, concurrent_calls: null };
      const second = { calls_per_minute: null, concurrent_calls: 2 };
      assert.deepEqual(limitsOf(tools), { read: first, write: NO_LIMITS, [SHORT_FORM]: second });
      assert.deepEqual(limitsOf((await get()).all_tools), limitsOf(tools));
      const change = { limits: [{ tool: "read", concurrent_calls: 5 }], disable: ["write"] };
      const [audit] = await api.auditOf(() => switchTools(change));
      assert.deepEqual(audit?.before, { enabled: ["write"], disabled: [], limits: { read: first } });
      const merged = { ...first, concurrent_calls: 5 };
      assert.deepEqual(audit?.after, { enabled: [], disabled: ["write"], limits: { read: merged } });
      const definition = await api.call("GET", `/api/mcp-servers/${slug}/tools/definition?tool=read`);
      assert.deepEqual(definition.body.data.limits, merged);
      const removed = ["read", SHORT_FORM].map((name) => ({ tool: name, ...NO_LIMITS }));
      assert.deepEqual(limitsOf((await switchTools({ limits: removed, enable: ["write"] })).tools).read, NO_LIMITS);
      assert.deepEqual(await api.db.selectFrom("tool_limits").selectAll().execute(), []);
    });

    it("applies concurrent requests atomically", async () => {
      const rounds = ["read", "write", SHORT_FORM].flatMap((name) => [{ disable: [name] }, { enable: [name] }]);
      await Promise.all(rounds.map(switchTools));
      const on = Object.entries(await onAndOff()).filter(([, enabled]) => enabled);
      assert.deepEqual(
        await listed(),
        on.map(([name]) => name),
      );
      await switchTools({ enable: ["read", "write", SHORT_FORM] });
    });
  });

  describe("400", () => {
    it("rejects an empty request", async () => {
      for (const body of [{}, { enable: [] }, { enable: [], disable: [] }, { tools: ["read"] }]) {
        await api.invalid("enable: enable and disable cannot both be empty", "PATCH", path(), body);
      }
    });

    it("rejects values that are not a list of names", async () => {
      await api.invalid("enable: must be an array", "PATCH", path(), { enable: "read" });
      await api.invalid("disable: must be an array", "PATCH", path(), { disable: null });
      await api.invalid("disable.1: must be a string", "PATCH", path(), { disable: ["read", 1] });
      await api.invalid("enable: must hold at most 1000 tools", "PATCH", path(), { enable: Array(1_001).fill("read") });
    });

    it("rejects a tool that is to be enabled and disabled, by either name", async () => {
      await api.invalid(`disable: ${SHORT_FORM} is also in enable`, "PATCH", path(), {
        enable: ["say more!"],
        disable: [SHORT_FORM],
      });
    });

    it("rejects limits that are not positive integers, and tools that are unknown or listed twice", async () => {
      const limit = (limits: unknown) => ["PATCH", path(), { limits }] as const;
      const range = "must be between 1 and 1000000, or null";
      await api.invalid(`limits.0.calls_per_minute: ${range}`, ...limit([{ tool: "read", calls_per_minute: 0 }]));
      await api.invalid(`limits.0.calls_per_minute: ${range}`, ...limit([{ tool: "read", calls_per_minute: 1e7 }]));
      const whole = "limits.0.concurrent_calls: must be an integer or null";
      await api.invalid(whole, ...limit([{ tool: "read", concurrent_calls: 1.5 }]));
      await api.invalid("limits.0: calls_per_minute or concurrent_calls is required", ...limit([{ tool: "read" }]));
      await api.invalid("limits: must be an array", ...limit({ read: 1 }));
      const twice = ["say more!", SHORT_FORM].map((name) => ({ tool: name, concurrent_calls: 1 }));
      await api.invalid(`limits: ${SHORT_FORM} is listed twice`, ...limit(twice));
      const unknown = [{ tool: "x", concurrent_calls: 1 }];
      await api.expect(400, { error: "Tools not found: x" }, "PATCH", path(), { limits: unknown });
    });

    it("lists unknown tools once each and changes nothing", async () => {
      const body = { enable: ["Read", "x"], disable: ["write", "x", `${slug}__read`] };
      await api.expect(400, { error: `Tools not found: Read, x, ${slug}__read` }, "PATCH", path(), body);
      assert.equal((await onAndOff()).write, true);
      const bare = await createServer(api.service, "Bare");
      const error = "Tools not found: read";
      await api.expect(400, { error }, "PATCH", `/api/mcp-servers/tools?slug=${bare}`, { enable: ["read"] });
    });

    it("rejects a missing slug", async () => {
      await api.invalid("slug query parameter is required", "PATCH", "/api/mcp-servers/tools", { enable: ["read"] });
    });
  });

  it("responds with 404 for an unknown server", async () => {
    const body = { enable: ["read"] };
    await api.expect(404, { error: "MCP server not found" }, "PATCH", "/api/mcp-servers/tools?slug=nowhere", body);
  });
});
