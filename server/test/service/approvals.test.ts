import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createLogger } from "#lib/logger";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { readEvents, rpc } from "#test/gateway-kit";
import { publishGuards } from "#test/guard-records";
import { callAsModern } from "#test/modern-caller";
import { type OwnService, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { startWebhookReceiver, type WebhookReceiver } from "#test/webhook-receiver";

const CANARY = "canary-of-the-arguments";
const WORD = { type: "keyword", name: "Money", config: { words: ["transfer"] } };
const GUARD = { slug: "money", name: "Payments", message: "Ask finance.", action: "require_approval", checks: [WORD] };
const PASSED = '{"n":12345678901234567890,"transfer":1}';

/** Calls reach `one`, and most decisions are made at `two`. */
forEachDatabase("approvals of held calls", (open) => {
  let database: TestDatabase;
  let one: OwnService;
  let two: OwnService;
  let bank: RawUpstream;
  let ann: MachineUser;
  let hooks: WebhookReceiver;
  const logged: string[] = [];

  before(async () => {
    database = await open();
    const logger = createLogger("debug", { write: (line) => void logged.push(line) });
    one = await startService(database, { logger });
    two = await startService(database, { logger });
    hooks = await startWebhookReceiver();
    bank = await startRawUpstream({ tools: [{ name: "pay", inputSchema: {} }], prompts: [{ name: "plan" }] });
    await createSyncedServer(one, "Bank", bank.url);
    ann = await createMachineUser(one, "ann");
    await createGroup(one, "Everyone", { slugs: ["bank"], emails: [ann.email] });
    await publishGuards(one, database.databases, [GUARD]);
    const events = ["approval.requested", "approval.decided", "guard.blocked"];
    const hook = await one.api("POST", "/api/webhooks", { name: "All", url: hooks.url, events });
    assert.equal(hook.status, 201, hook.text);
  });
  after(async () => {
    await one?.close();
    await two?.close();
    await hooks?.close();
    await bank?.close();
  });
  beforeEach(async () => {
    await database.databases.main.deleteFrom("approvals").execute();
    bank.seen.length = 0;
    bank.behave = () => "json";
    await waitSeconds(0);
  });

  const api = (service: OwnService, method: string, path: string, body?: object) =>
    service.api(method, path, body, { authorization: `Bearer ${one.token}` });
  const waitSeconds = async (seconds: number) => {
    for (const service of [one, two]) {
      const answer = await api(service, "PATCH", "/api/settings", { approval_wait_seconds: seconds });
      assert.equal(answer.status, 200, answer.text);
    }
  };
  const call = async (args: string, service = one, user = ann) => {
    const params = `{"name":"bank__pay","arguments":${args}}`;
    const answer = await service.http("/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${user.credential}`, "content-type": "application/json" },
      body: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.result;
  };
  /** Calls as a real client, which is notified when its call waits. */
  const callAsClient = async (transfer: unknown, service = one) => {
    const client = new Client({ name: "real", version: "1.0.0" });
    const requestInit = { headers: { authorization: `Bearer ${ann.credential}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }));
    const { promise: firstProgress, resolve } = Promise.withResolvers<string>();
    const onprogress = ({ message = "" }: { message?: string | undefined }) => resolve(message);
    const result = client.callTool({ name: "bank__pay", arguments: { transfer } }, { onprogress });
    return { client, firstProgress, result };
  };
  const textOf = (result: { content: { text: string }[] }) => result.content.map(({ text }) => text).join("");
  const idIn = (text: string) => /apr_[0-9a-z]{26}/.exec(text)?.[0] ?? assert.fail(text);
  const pending = async () => (await api(two, "GET", "/api/guards/approvals?status=pending")).body.data;
  const somePending = async () => {
    for (let rows = await pending(); ; rows = await pending()) if (rows.length > 0) return rows[0];
  };
  const decide = async (id: string, decision: "approve" | "deny", note?: string) => {
    const answer = await api(two, "POST", `/api/guards/approvals/${id}/decision`, { decision, note });
    assert.equal(answer.status, 200, answer.text);
    return answer.body.data;
  };
  const paid = () => bank.seen.filter(({ method }) => method === "tools/call").map(({ body }) => String(body));
  const eventsAbout = async (id: string, count: number): Promise<{ type: string; data: { url: string } }[]> => {
    for (;;) {
      const about = hooks.requests.filter(({ body }) => body.includes(id));
      if (about.length >= count) return about.map(({ body }) => JSON.parse(body));
      await sleep(50);
    }
  };
  const logs = async (query = "") => (await api(one, "GET", `/api/logs?limit=50&${query}`)).body.data;

  it("let a real client wait, and continue its call when it is approved at another process", async () => {
    await waitSeconds(60);
    const { client, firstProgress, result } = await callAsClient(CANARY);
    const held = await somePending();
    assert.deepEqual(
      [held.user_email, held.server_slug, held.tool, held.guard_slug, held.reason],
      [ann.email, "bank", "pay", "money", 'Guard "Payments" found: Money'],
    );
    assert.deepEqual(paid(), []);
    await decide(held.id, "approve", "Fine");
    const { isError, structuredContent, _meta } = await result;
    assert.deepEqual([isError, structuredContent], [undefined, { transfer: CANARY }]);
    assert.match(await firstProgress, new RegExp(`Waiting for an approval: .*/approvals/${held.id}$`));
    const note = { slug: "money", action: "require_approval", direction: "request", approval: held.id };
    assert.deepEqual(_meta?.["io.gatehouse/guard"], note);
    await client.close();
    const [entry] = await logs("method=tools/call");
    assert.deepEqual(
      [entry.outcome, entry.guard_action, entry.guard_slug, entry.approval_id],
      ["ok", "require_approval", "money", held.id],
    );
    const { body } = await api(two, "GET", `/api/guards/approvals/${held.id}`);
    assert.deepEqual([body.data.status, body.data.note], ["approved", "Fine"]);
    assert.ok(body.data.used_at);
  });

  it("send progress to modern clients too", async () => {
    await waitSeconds(60);
    const answer = callAsModern(one, ann.credential, "bank__pay", { arguments: { transfer: 2 }, progressToken: "p" });
    await decide((await somePending()).id, "approve");
    const { messages, last } = await answer;
    assert.equal(messages[0].method, "notifications/progress");
    assert.equal(messages[0].params.progressToken, "p");
    assert.deepEqual([last.result.isError, last.result.resultType], [undefined, "complete"]);
  });

  it("answer with a link after the wait, and let an identical call pass once", async () => {
    const held = await call(PASSED);
    const id = idIn(textOf(held));
    assert.equal(held.isError, true);
    assert.match(textOf(held), new RegExp(`^Approval required: ${id}\n.*Ask finance\\..*/approvals/${id}\n`));
    assert.equal(idIn(textOf(await call(PASSED))), id, "a repeat waits for the same approval");
    const { body } = await api(two, "GET", `/api/guards/approvals/${id}`);
    assert.equal(body.data.arguments_json, PASSED);
    assert.equal(body.data.arguments.transfer, 1);
    await decide(id, "approve");

    for (const other of ['{"n":12345678901234567890, "transfer":1}', '{"n":12345678901234567891,"transfer":1}']) {
      assert.notEqual(idIn(textOf(await call(other))), id, "another byte needs another approval");
    }
    assert.deepEqual(paid(), []);
    assert.equal((await call(PASSED)).isError, undefined);
    assert.match(paid()[0] ?? "", /"arguments":\{"n":12345678901234567890,"transfer":1\}/);
    assert.notEqual(idIn(textOf(await call(PASSED))), id);
    assert.equal(paid().length, 1);
    const outcomes = (await logs("guard_action=require_approval")).map(({ outcome }: { outcome: string }) => outcome);
    assert.deepEqual(outcomes.slice(0, 6), [
      ...["pending_approval", "ok", "pending_approval", "pending_approval", "pending_approval", "pending_approval"],
    ]);
  });

  it("let one of two concurrent identical calls pass, at different processes", async () => {
    for (let round = 0; round < 5; round++) {
      const args = `{"transfer":${round + 10}}`;
      await decide(idIn(textOf(await call(args))), "approve");
      const results = await Promise.all([call(args, one), call(args, two)]);
      assert.equal(results.filter(({ isError }) => isError === undefined).length, 1);
      assert.equal(paid().length, round + 1);
    }
  });

  it("let one of two waiting identical calls pass, and tell the other", async () => {
    await waitSeconds(60);
    const waiting = [await callAsClient(20, one), await callAsClient(20, two)];
    await Promise.all(waiting.map(({ firstProgress }) => firstProgress));
    const [approval, ...others] = await pending();
    assert.deepEqual(others, []);
    await decide(approval.id, "approve");
    const results = await Promise.all(waiting.map(({ result }) => result));
    assert.equal(paid().length, 1);
    const [refused] = results.filter(({ isError }) => isError);
    assert.match(JSON.stringify(refused?.content), /used by an identical call/);
    for (const { client } of waiting) await client.close();
  });

  it("tell the caller and identical calls that it was denied, with the note", async () => {
    await waitSeconds(60);
    const waiting = call('{"transfer":30}');
    const { id } = await somePending();
    await decide(id, "deny", "Too much");
    assert.match(textOf(await waiting), /^Denied: an owner or admin denied this call: Too much\n/);
    assert.match(textOf(await call('{"transfer":30}')), /Too much/);
    assert.deepEqual([(await pending()).length, paid()], [0, []]);
    const [entry] = await logs("guard=money");
    assert.deepEqual([entry.outcome, entry.approval_id], ["blocked", id]);
  });

  it("check the caller's access again, and keep the approval if it is lost", async () => {
    await waitSeconds(60);
    const waiting = call('{"transfer":40}');
    const { id } = await somePending();
    await api(one, "DELETE", "/api/groups/Everyone/integrations?slug=bank");
    await decide(id, "approve");
    assert.match(textOf(await waiting), /You no longer have access/);
    const add = await api(one, "POST", "/api/groups/Everyone/integrations", { slugs: ["bank"] });
    assert.equal(add.status, 200, add.text);
    assert.deepEqual(paid(), []);
    assert.equal((await call('{"transfer":40}')).isError, undefined);
  });

  it("do not continue a call whose credential was revoked", async () => {
    await waitSeconds(60);
    const bot = await createMachineUser(one, "bot");
    await api(one, "POST", "/api/groups/Everyone/users", { emails: [bot.email] });
    const waiting = call('{"transfer":41}', one, bot);
    const { id } = await somePending();
    const rotated = await api(one, "POST", `/api/users/rotate-secret?email=${bot.email}`);
    assert.equal(rotated.status, 200, rotated.text);
    await decide(id, "approve");
    assert.match(textOf(await waiting), /You no longer have access/);
    assert.deepEqual(paid(), []);
  });

  it("stay when the client disconnects or cancels, and the call is logged", async () => {
    await waitSeconds(60);
    const message = rpc("tools/call", { name: "bank__pay", arguments: { transfer: 50 }, _meta: { progressToken: 1 } });
    const headers = {
      ...{ authorization: `Bearer ${ann.credential}`, "content-type": "application/json" },
      accept: "application/json, text/event-stream",
    };
    const reader = await readEvents(`${one.url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
    await reader.until(/Waiting for an approval/);
    reader.close();
    const { id } = await somePending();
    while ((await logs("guard=money&outcome=cancelled"))[0]?.approval_id !== id) await sleep(20);
    await decide(id, "approve");
    assert.equal((await call('{"transfer":50}')).isError, undefined);
  });

  it("limit how many calls of a user wait, and how large they are", async () => {
    for (let n = 0; n < 20; n++) idIn(textOf(await call(`{"transfer":${n + 100}}`)));
    assert.match(textOf(await call('{"transfer":99}')), /20 of your calls already wait for an approval/);
    const large = `{"transfer":"${"x".repeat(256 * 1024)}"}`;
    assert.match(textOf(await call(large)), /arguments are larger than 256 KB/);
    assert.equal((await pending()).length, 20);
    assert.equal((await call('{"other":1}')).isError, undefined, "calls that no guard holds are not affected");
  });

  it("hold prompts too, with an error that names the approval", async () => {
    const { body } = await one.mcp(
      ann.credential,
      rpc("prompts/get", { name: "bank__plan", arguments: { a: "transfer" } }),
    );
    assert.equal(body.error.code, -32001);
    assert.equal(body.error.data.approvalId, idIn(body.error.message));
  });

  it("answer waiting calls when the process stops", async () => {
    await waitSeconds(60);
    const three = await startService(database);
    const waiting = call('{"transfer":60}', three);
    const { id } = await somePending();
    const closed = three.close({ keepConnections: true });
    assert.equal(idIn(textOf(await waiting)), id);
    await closed;
    await decide(id, "approve");
    assert.equal((await call('{"transfer":60}')).isError, undefined);
  });

  it("show the arguments nowhere but in the approval, and seal them at rest", async () => {
    const args = `{"transfer":"${CANARY}"}`;
    const id = idIn(textOf(await call(args)));
    await decide(id, "approve");
    await call(args);
    const events = await eventsAbout(id, 2);
    assert.deepEqual(events.map(({ type }) => type).sort(), ["approval.decided", "approval.requested"]);
    assert.ok(events.every(({ data }) => data.url.endsWith(`/approvals/${id}`)));
    const pages = ["/api/logs?limit=200", "/api/audit?limit=200", "/api/guards/approvals", "/api/webhooks"];
    const shown = await Promise.all(pages.map(async (path) => (await api(one, "GET", path)).text));
    const rows = await database.databases.main.selectFrom("approvals").selectAll().execute();
    const texts = [
      ...shown,
      JSON.stringify(rows),
      JSON.stringify(events),
      logged.join("\n"),
      ...filesOf(database.dataDir),
    ];
    for (const text of texts) assert.ok(!text.includes(CANARY), text.slice(0, 500));
    assert.ok((await api(one, "GET", `/api/guards/approvals/${id}`)).text.includes(CANARY));
  });
});

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
}
