import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { createGroup, createPerson, createServer, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const KEYED = { auth_settings: { authType: "proxy-api-key", headerName: "X-Api-Key", headerPrefix: "" } };
const tool = (name: string, rest: object = {}) => ({ name, inputSchema: { type: "object" }, ...rest });

forEachApi("details of servers, in the list and of one server", (api) => {
  let upstream: RawUpstream;
  let changing: RawUpstream;
  before(async () => {
    upstream = await startRawUpstream();
    changing = await startRawUpstream({ tools: [tool("one")] });
    const gone = await startRawUpstream();
    await gone.close();
    const { service } = api;
    await createSyncedServer(service, "Healthy", upstream.url);
    await createServer(service, "Bare");
    await createServer(service, "Dead", gone.url);
    await service.api("POST", "/api/mcp-servers/dead/sync");
    await createSyncedServer(service, "Changing", changing.url);
    await service.api("PATCH", "/api/mcp-servers?slug=changing", { tool_policy: "warn" });
    changing.tools = [tool("one"), tool("two"), tool("three")];
    await service.api("POST", "/api/mcp-servers/changing/sync");
    await createServer(service, "Keyed", upstream.url, KEYED);
    for (const [name, more] of [
      ["No client", {}],
      ["Client", { clientId: "c" }],
      ["Registers", { registrationUrl: `${upstream.origin}/register` }],
    ] as const) {
      await createServer(service, name, upstream.url, { auth_settings: { authType: "proxy-oauth", ...more } });
    }
    const emails = ["ada@example.com", "bob@example.com"];
    for (const email of emails) await createPerson(service, email, email);
    await createGroup(service, "Staff", { slugs: ["keyed", "healthy"], emails });
    await createGroup(service, "All", { slugs: ["keyed"] });
    for (const email of emails) {
      await service.api("PUT", `/api/user/api-key?email=${email}&mcp=keyed`, { key: "k" });
    }
    // The state after an upstream rejected the token.
    await api.db
      .updateTable("connections")
      .set({ state: "reconnect_needed" })
      .where("user_id", "in", (users) => users.selectFrom("users").select("id").where("email", "=", "bob@example.com"))
      .execute();
    await api.db.updateTable("mcp_servers").set({ sync_error: null }).where("auth_type", "!=", "none").execute();
  });
  after(() => Promise.all([upstream.close(), changing.close()]));

  const slugs = async (query: string) =>
    (await api.call("GET", `/api/mcp-servers?${query}`)).body.data.map(({ slug }: { slug: string }) => slug);

  it("filters and counts servers that need attention", async () => {
    const found = await slugs("needs_attention=true");
    assert.deepEqual(found, ["bare", "dead", "changing", "keyed", "no-client"]);
    const { body } = await api.call("GET", "/api/mcp-servers?needs_attention=true&includeTotal=true&limit=2");
    assert.deepEqual([body.data.length, body.totalCount], [2, 5]);
    assert.deepEqual(await slugs("needs_attention=true&auth_type=proxy-oauth"), ["no-client"]);
  });

  it("filters by auth_type", async () => {
    assert.deepEqual(await slugs("auth_type=proxy-oauth"), ["no-client", "client", "registers"]);
    await api.invalid(
      "auth_type: must be one of none, proxy-oauth, proxy-api-key, exchanged-token",
      "GET",
      "/api/mcp-servers?auth_type=any",
    );
  });

  it("returns the same details in the list as for one server, and selects fields of them", async () => {
    const readBoth = async () => {
      const { data } = (await api.call("GET", "/api/mcp-servers?include_details=true")).body;
      const ones = [];
      for (const { slug } of data) ones.push((await api.call("GET", `/api/mcp-servers/${slug}`)).body.data);
      return { data, ones };
    };
    let { data, ones } = await readBoth();
    // A server is synced in the background after a user connects.
    const syncedAt = (servers: { tools_synced_at: string }[]) => servers.map((server) => server.tools_synced_at).join();
    while (syncedAt(data) !== syncedAt(ones)) ({ data, ones } = await readBoth());
    for (const [at, entry] of data.entries()) {
      const one = ones[at];
      for (const name of [
        "needs_setup",
        "tools_changed_count",
        "tools_synced_at",
        "sync_error",
        "groups",
        "connections",
        "users_count",
        "recent_calls",
        "health",
        "has_shared_credential",
        "oauth_change_pending",
      ]) {
        assert.deepEqual(entry[name], one[name], `${entry.slug} ${name}`);
      }
    }
    const bySlug = new Map<string, Record<string, unknown>>(data.map((entry: { slug: string }) => [entry.slug, entry]));
    assert.deepEqual(bySlug.get("keyed")?.groups, ["Staff", "All"]);
    assert.deepEqual(bySlug.get("keyed")?.connections, { connected: 1, reconnect_needed: 1 });
    assert.equal(bySlug.get("changing")?.tools_changed_count, 2);
    assert.deepEqual([bySlug.get("keyed")?.users_count, bySlug.get("bare")?.users_count], [2, 0]);
    assert.match(String(bySlug.get("dead")?.sync_error), /./);
    const [first] = (await api.call("GET", "/api/mcp-servers?fields=slug,groups,connections(connected)")).body.data;
    assert.deepEqual(first, { slug: "healthy", groups: ["Staff"], connections: { connected: 0 } });
  });

  it("excludes disabled users, and users without access to drafts, from users_count", async () => {
    const users = async () => (await api.call("GET", "/api/mcp-servers/healthy")).body.data.users_count;
    const patch = (path: string, body: object) => api.call("PATCH", path, body);
    assert.equal(await users(), 2);
    await patch("/api/users?email=ada@example.com", { disabled: true });
    assert.equal(await users(), 1);
    await patch("/api/mcp-servers?slug=healthy", { status: "draft" });
    assert.equal(await users(), 0);
    await patch("/api/groups?name=Staff", { settings: { show_draft_mcps: true } });
    assert.equal(await users(), 1);
  });

  it("returns the declared annotations of tools", async () => {
    const annotations = { title: "T", readOnlyHint: false, destructiveHint: true };
    changing.tools = [tool("one"), tool("two", { annotations })];
    await api.call("POST", "/api/mcp-servers/changing/sync");
    const { all_tools } = (await api.call("GET", "/api/mcp-servers/changing")).body.data;
    const undeclared = { read_only: null, destructive: null, idempotent: null, open_world: null };
    assert.deepEqual(
      all_tools.map(({ hints }: { hints: object }) => hints),
      [undeclared, { ...undeclared, read_only: false, destructive: true }],
    );
  });

  it("contain the given tool_policy of a new server, else warn", async () => {
    for (const policy of [undefined, "hold"]) {
      const body = { name: "Policy", tool_policy: policy };
      const { data } = (await api.call("POST", "/api/mcp-servers?return=full", body)).body;
      assert.equal(data.tool_policy, policy ?? "warn");
    }
    const wrong = { name: "Policy", tool_policy: "never" };
    await api.invalid("tool_policy: must be one of allow, warn, hold", "POST", "/api/mcp-servers", wrong);
  });
});
