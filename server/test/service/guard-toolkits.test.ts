import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachDatabase, type TestDatabase } from "../databases.ts";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "../factories.ts";
import { publishGuards } from "../guard-records.ts";
import { type OwnService, startService } from "../start-service.ts";
import { type RawUpstream, startRawUpstream } from "../upstreams/raw.ts";

/** A test number of a card issuer. */
const CARD = ["4111", "1111", "1111", "1111"].join(" ");
const CARDS = { type: "pii", name: "Card", config: { entities: ["credit_card"] } };

forEachDatabase("guards and toolkits", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  let upstream: RawUpstream;
  let bot: MachineUser;
  before(async () => {
    database = await open();
    service = await startService(database);
    const tools = ["echo", "strict"].map((name) => ({ name, inputSchema: {} }));
    upstream = await startRawUpstream({ tools });
    await createSyncedServer(service, "desk", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["desk"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
  });

  const isBlocked = async (tool: string): Promise<boolean> => {
    const params = { name: `desk__${tool}`, arguments: { note: `card ${CARD}` } };
    const { body } = await service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method: "tools/call", params });
    assert.equal(body.error, undefined, JSON.stringify(body));
    return body.result.isError === true;
  };

  it("a toolkit cannot rename a tool out of a guard's scope", async () => {
    const scope = { tools: ["desk__echo"] };
    const guard = { slug: "s", name: "S", action: "block", direction: "request", checks: [CARDS], scope };
    await publishGuards(service, database.databases, [guard]);
    assert.equal(await isBlocked("strict"), false);
    const tools = [
      { server: "desk", tool: "echo", alias: "say" },
      { server: "desk", tool: "strict", alias: "echo" },
    ];
    const body = { name: "Own", tools, status: "active", least_privilege: true };
    const created = await service.api("POST", `/api/user/toolkits?email=${encodeURIComponent(bot.email)}`, body);
    assert.equal(created.status, 201, created.text);
    assert.equal(await isBlocked("say"), true, "the tool's own name counts");
    assert.equal(await isBlocked("echo"), true, "the name that callers see counts too");
    assert.equal(upstream.count("tools/call"), 1);
  });

  it("an approval is for what the server receives, whichever way the call takes", async () => {
    const check = { type: "keyword", name: "Word", config: { words: ["transfer"] } };
    await publishGuards(service, database.databases, [
      { slug: "a", name: "A", action: "require_approval", checks: [check] },
    ]);
    await service.api("PATCH", "/api/settings", { approval_wait_seconds: 0 });
    const carl = await createMachineUser(service, "carl");
    await createGroup(service, "Carls", { slugs: ["desk"], emails: [carl.email] });
    const fixed = { server: "desk", tool: "echo", alias: "say", arguments: { fixed: { account: "main" } } };
    const kit = { name: "Fixed", status: "active", groups: ["Carls"], tools: [fixed] };
    assert.equal((await service.api("POST", "/api/toolkits", kit)).status, 201);
    const call = async (path: string, name: string, args: object) => {
      const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } };
      const { body } = await service.http(path, {
        method: "POST",
        headers: { authorization: `Bearer ${carl.credential}`, "content-type": "application/json" },
        body: JSON.stringify(message),
      });
      assert.equal(body.error, undefined, JSON.stringify(body));
      return body.result;
    };
    const whole = { account: "main", transfer: 1 };
    const search = { name: "desk__echo", arguments: whole };
    const ways: (() => Promise<{ isError?: boolean; content: { text: string }[] }>)[] = [
      () => call("/mcp?toolkit=fixed", "desk__say", { transfer: 1 }),
      () => call("/mcp", "desk__echo", whole),
      () => call("/mcp?tools=search", "gatehouse__call_tool", search),
    ];
    const ids = new Set<string>();
    for (const way of ways) ids.add(/apr_\w+/.exec((await way()).content[0]?.text ?? "")?.[0] ?? "none");
    assert.equal(ids.size, 1, [...ids].join());
    for (const way of ways) {
      const [id = ""] = ids;
      const { arguments_json: json } = (await service.api("GET", `/api/guards/approvals/${id}`)).body.data;
      assert.equal(json, JSON.stringify(whole));
      await service.api("POST", `/api/guards/approvals/${id}/decision`, { decision: "approve" });
      const other = await call("/mcp?toolkit=fixed", "desk__say", { transfer: 2 });
      assert.equal(other.isError, true, "other arguments are held");
      assert.equal((await way()).isError, undefined);
      ids.clear();
      ids.add(/apr_\w+/.exec((await way()).content[0]?.text ?? "")?.[0] ?? "none");
    }
  });
});
