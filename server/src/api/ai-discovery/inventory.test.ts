import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { agent, localServer, memoryFile, remoteServer, reported, skill } from "#test/discovery-report";
import { createGroup, createPerson, createServer } from "#test/factories";

const DISCOVERY = "/api/ai-discovery";

forEachApi("the inventory of AI discovery", (api) => {
  const list = async (path: string) => {
    const answer = await api.call("GET", `${DISCOVERY}${path}`);
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const names = async (query: string) =>
    (await list(`/mcp-servers${query}`)).map((each: { name: string }) => each.name);
  const fingerprintOf = async (name: string) => (await list(`/mcp-servers?search=${name}`))[0].fingerprint;
  before(async () => {
    await createPerson(api.service, "Ada", "laptop@example.com");
    await createGroup(api.service, "Engineering");
    await createServer(api.service, "Known", "https://known.example.com/mcp");
    const answer = await api.call(
      "POST",
      `${DISCOVERY}/reports`,
      reported("laptop", {
        mcp_servers: [
          remoteServer("gateway", "http://127.0.0.1:8080/mcp?toolkit=x"),
          remoteServer("known", "https://KNOWN.example.com/mcp/"),
          remoteServer("fresh", "https://fresh.example.com/mcp", { client: "zed" }),
          remoteServer("plain", "http://plain.example.com/mcp", { transport: "sse" }),
          localServer("=cmd()", ["-y", "cmd@1.0.0"]),
        ],
        skills: [skill("pdf"), skill("odd", { issues: ["hidden_unicode"] })],
        agent_memory: [memoryFile("~/.claude/CLAUDE.md")],
        agents: [agent("Cursor")],
      }),
    );
    assert.equal(answer.status, 200, answer.text);
  });

  it("recognizes servers that use the gateway, and registered ones", async () => {
    const servers = await list("/mcp-servers");
    const of = (name: string) => servers.find((each: { name: string }) => each.name === name);
    assert.deepEqual([of("gateway").managed, of("gateway").action, of("gateway").rule_id], [true, "allow", "managed"]);
    assert.equal(of("known").mcp_server_slug, "known");
    assert.equal(of("fresh").mcp_server_slug, null);
    assert.deepEqual(of("plain").risk.reasons, ["plain_http", "unknown_publisher", "not_managed"]);
    assert.equal((await list("/skills?search=odd"))[0].risk.score, 65);
  });

  it("filters, sorts and pages", async () => {
    assert.deepEqual(await names("?managed=true"), ["gateway"]);
    assert.deepEqual(await names("?client=zed"), ["fresh"]);
    assert.deepEqual(await names("?transport=sse"), ["plain"]);
    assert.deepEqual(await names("?min_risk=40"), ["plain"]);
    assert.deepEqual(await names("?action=allow"), ["gateway"]);
    assert.deepEqual(await names("?device_id=unknown"), []);
    assert.equal((await names("?device_id=laptop&search=EXAMPLE.com")).length, 3);
    assert.equal((await names("?sort=risk&order=desc"))[0], "plain");
    const page = await api.call("GET", `${DISCOVERY}/mcp-servers?skip=3&limit=1`);
    assert.deepEqual(page.body.pagination, { skip: 3, limit: 1, hasMore: true });
    assert.equal((await list("/agent-memory"))[0].path, "~/.claude/CLAUDE.md");
    assert.equal((await list("/agents"))[0].name, "Cursor");
    assert.deepEqual(await names("?new_since=2099-01-01"), []);
  });

  it("stores a review, and 404 for unknown entries", async () => {
    const fingerprint = await fingerprintOf("fresh");
    const audits = await api.auditOf(async () => {
      const body = { review_status: "rejected", note: "Unknown vendor" };
      const { body: answer } = await api.call("PATCH", `${DISCOVERY}/mcp-servers?fingerprint=${fingerprint}`, body);
      assert.deepEqual([answer.data.review_status, answer.data.note], ["rejected", "Unknown vendor"]);
    });
    assert.deepEqual([audits[0]?.operation, audits[0]?.target_name], ["updateDiscoveredMcpServer", "fresh"]);
    assert.deepEqual(await names("?review_status=rejected"), ["fresh"]);
    await api.invalid("fingerprint query parameter is required", "PATCH", `${DISCOVERY}/mcp-servers`, {});
    const bad = "review_status: must be one of unreviewed, approved, rejected, ignored";
    await api.invalid(bad, "PATCH", `${DISCOVERY}/mcp-servers?fingerprint=x`, { review_status: "ok" });
    await api.expect(404, { error: "MCP server not found" }, "GET", `${DISCOVERY}/mcp-servers/x`);
    await api.expect(404, { error: "Skill not found" }, "PATCH", `${DISCOVERY}/skills?digest=x`, {});
    await api.expect(404, { error: "Device not found" }, "GET", `${DISCOVERY}/devices/x`);
  });

  it("imports a remote server as a draft, once, and nothing else", async () => {
    const importOf = async (name: string) => `${DISCOVERY}/mcp-servers/${await fingerprintOf(name)}/import`;
    const { status, body } = await api.call("POST", await importOf("fresh"), {
      name: "Fresh",
      groups: ["engineering"],
    });
    assert.deepEqual([status, body], [201, { data: { slug: "fresh" } }]);
    const { data: server } = (await api.call("GET", "/api/mcp-servers/fresh")).body;
    assert.deepEqual(
      [server.status, server.auth_settings.connection?.url ?? server.connection?.url],
      ["draft", "https://fresh.example.com/mcp"],
    );
    const item = (await list("/mcp-servers?search=fresh"))[0];
    assert.deepEqual([item.mcp_server_slug, item.review_status], ["fresh", "approved"]);
    const again = await api.call("POST", await importOf("fresh"));
    assert.deepEqual([again.status, again.body.message], [409, "already registered as fresh"]);
    const only = { error: "Only remote MCP servers can be imported" };
    await api.expect(400, only, "POST", await importOf("cmd"));
    await api.expect(400, { error: "Groups not found: x" }, "POST", await importOf("plain"), { groups: ["x"] });
    await api.expect(400, { error: "This MCP server is this gateway" }, "POST", await importOf("gateway"));
    const rule = { name: "No plain HTTP", kind: "mcp_server", action: "block", match: { host: ["plain.example.com"] } };
    await api.call("POST", "/api/ai-discovery-policy/rules", rule);
    const blocked = { error: "The AI discovery policy blocks this MCP server. Change the policy first" };
    await api.expect(400, blocked, "POST", await importOf("plain"));
  });

  it("assigns, retires and deletes a device, with exact counts", async () => {
    const path = `${DISCOVERY}/devices?id=laptop`;
    const device = (await list("/devices?search=LAPTOP"))[0];
    assert.deepEqual([device.user_email, device.user_known, device.status], ["laptop@example.com", true, "active"]);
    const { body } = await api.call("PATCH", path, { user_email: "kim@example.com" });
    assert.deepEqual([body.data.user_email, body.data.user_known], ["kim@example.com", false]);
    await api.invalid("user_email: must be a valid email", "PATCH", path, { user_email: "kim" });
    await api.call("PATCH", path, { status: "retired" });
    assert.deepEqual([(await list("/devices?status=retired")).length, (await names("")).length], [1, 0]);
    const again = reported("laptop", { mcp_servers: [remoteServer("back", "https://back.example.com/mcp")] });
    await api.call("POST", `${DISCOVERY}/reports`, { ...again, user: null });
    const [back] = await list("/mcp-servers");
    assert.deepEqual([back.name, back.users_count], ["back", 1]);
    await api.expect(200, { message: "Device deleted successfully" }, "DELETE", path);
    await api.expect(404, { error: "Device not found" }, "DELETE", path);
    assert.deepEqual(await names(""), []);
    assert.deepEqual((await list("/violations?status=open")).length, 0);
  });

  it("exports every kind as JSON and CSV without formulas", async () => {
    const json = await api.call("GET", `${DISCOVERY}/export?kind=mcp_servers`);
    assert.equal(json.headers["content-type"], "application/json; charset=utf-8");
    assert.ok(JSON.parse(json.text).some((each: { name: string }) => each.name === "fresh"));
    const csv = await api.call("GET", `${DISCOVERY}/export?kind=mcp_servers&format=csv`);
    assert.match(csv.text, /^fingerprint,transport,url,/);
    assert.match(csv.text, /,'=cmd\(\),/);
    for (const kind of ["skills", "agent_memory", "agents", "devices"]) {
      assert.ok(Array.isArray(JSON.parse((await api.call("GET", `${DISCOVERY}/export?kind=${kind}`)).text)), kind);
    }
    const message = "kind: must be one of mcp_servers, skills, agent_memory, agents, devices";
    await api.invalid(message, "GET", `${DISCOVERY}/export?kind=users`);
  });

  it("summarizes", async () => {
    const skills = [skill("pdf")];
    const mcp_servers = [remoteServer("gateway", "http://127.0.0.1:8080/mcp"), localServer("x", ["y"])];
    await api.call("POST", `${DISCOVERY}/reports`, reported("desk", { mcp_servers, skills }));
    const data = await list("/summary");
    assert.deepEqual(data.mcp_servers.by_action, { allow: 1, warn: 1, block: 0 });
    assert.deepEqual([data.mcp_servers.total, data.mcp_servers.managed, data.skills.total], [2, 1, 1]);
    assert.deepEqual([data.unmanaged_percent, data.devices.active], [50, 1]);
    assert.deepEqual(data.violations, { warn: 1, block: 0 });
    assert.deepEqual(data.top_clients, [
      { client: "claude-code", count: 2 },
      { client: "cursor", count: 1 },
    ]);
    assert.equal(data.new_by_day.length, 7);
    assert.equal(data.new_by_day.at(-1).mcp_servers, 2);
  });
});
