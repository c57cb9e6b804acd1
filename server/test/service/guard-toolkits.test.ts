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
});
