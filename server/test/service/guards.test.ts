import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createLogger } from "#lib/logger";
import { guardCountsOf } from "#records/calls";
import { forEachDatabase, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { readEvents, rpc } from "#test/gateway-kit";
import { publishGuards } from "#test/guard-records";
import { type OwnService, startService } from "#test/start-service";
import { sendProgressWith } from "#test/upstreams/progress";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";
import { startWebhookReceiver } from "#test/webhook-receiver";

const CARD = "4111 1111 1111 1111";
/** Fails the checksum. */
const NO_CARD = "4111 1111 1111 1112";
const TOKEN = `ghp_${"aB3dE6gH9kL2nP5rT8vX1zC4fJ7mQ0sW3yZ6"}`;
/** Not in a list, so the log does not name it. Reading returns its URI. */
const RESOURCE = `mcp+github:res://${TOKEN}`;
const CARDS = { type: "pii", name: "Payment card", config: { entities: ["credit_card"] } };
const SECRETS = { type: "secret", name: "Secret", config: {} };
const outputSchema = { type: "object", properties: { a: { type: "string", maxLength: 4 } } };

interface ToolResult {
  readonly content: readonly { readonly text: string }[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

const isOfHook = (data: { readonly guard_slug: string }) => data.guard_slug === "hook";

forEachDatabase("guards at the gateway", (open) => {
  let database: TestDatabase;
  let service: OwnService;
  let github: RawUpstream;
  let linear: RawUpstream;
  let ann: MachineUser;
  let bob: MachineUser;
  let gate: Promise<void> | undefined;
  const logged: string[] = [];

  before(async () => {
    database = await open();
    const logger = createLogger("debug", { write: (line) => void logged.push(line) });
    service = await startService(database, { logger, config: { metricsPort: 0 } });
    const options = {
      tools: [
        { name: "echo", inputSchema: {} },
        { name: "strict", inputSchema: {}, outputSchema },
      ],
      prompts: [{ name: "review" }],
      resources: { list: [], readable: /^res:/ },
      gate: () => gate,
    };
    github = await startRawUpstream(options);
    linear = await startRawUpstream(options);
    await createSyncedServer(service, "github", github.url);
    await createSyncedServer(service, "linear", linear.url);
    ann = await createMachineUser(service, "ann");
    bob = await createMachineUser(service, "bob");
    await createGroup(service, "Everyone", { slugs: ["github", "linear"], emails: [ann.email, bob.email] });
    await createGroup(service, "Sales", { slugs: ["github"], emails: [bob.email] });
  });
  after(async () => {
    await service?.close();
    await github?.close();
    await linear?.close();
  });
  beforeEach(() => {
    github.seen.length = 0;
    linear.seen.length = 0;
    github.behave = () => "json";
    gate = undefined;
  });

  const guards = (...list: object[]) => publishGuards(service, database.databases, list);
  const post = async (method: string, params: object | string, user = ann) => {
    const text = typeof params === "string" ? params : JSON.stringify(params);
    const body = `{"jsonrpc":"2.0","id":7,"method":"${method}","params":${text}}`;
    const answer = await service.http("/mcp", {
      method: "POST",
      headers: { authorization: `Bearer ${user.credential}`, "content-type": "application/json" },
      body,
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const call = async (args: object | string, name = "github__echo", user = ann): Promise<ToolResult> => {
    const text = typeof args === "string" ? args : JSON.stringify(args);
    const { result, error } = await post("tools/call", `{"name":"${name}","arguments":${text}}`, user);
    assert.equal(error, undefined, JSON.stringify(error));
    return result;
  };
  const sent = (to = github) =>
    to.seen.filter(({ method }) => /call|get|read/.test(method)).map(({ body }) => String(body));
  const noteOf = ({ _meta }: ToolResult) => _meta?.["io.gatehouse/guard"];
  const logs = async (query = "") => (await service.api("GET", `/api/logs?limit=200&${query}`)).body.data;

  it("keep a card number from the upstream, and let a number through that is none", async () => {
    await guards({ slug: "cards", name: "Cards", message: "No card numbers.", action: "block", checks: [CARDS] });
    const blocked = await call({ note: `card number ${CARD}` });
    assert.equal(blocked.isError, true);
    assert.equal(blocked.content[0]?.text, 'Blocked by guard "Cards": No card numbers.');
    assert.deepEqual(noteOf(blocked), { slug: "cards", action: "block", direction: "request" });
    assert.ok((await call({ [`card ${CARD}`]: 1 })).isError, "keys are checked too");
    assert.deepEqual(sent(), []);

    assert.equal((await call({ note: `card number ${NO_CARD}` })).isError, undefined);
    assert.equal(sent().length, 1);
    const [first] = await logs("guard=cards&guard_action=block&outcome=blocked");
    assert.deepEqual(
      [first.outcome, first.guard_slug, first.guard_action, first.guard_findings],
      [
        "blocked",
        "cards",
        "block",
        [{ guard_slug: "cards", check_name: "Payment card", direction: "request", count: 1 }],
      ],
    );
    assert.equal((await logs("guard=other")).length, 0);
    assert.equal((await logs("guard_action=redact")).length, 0);
  });

  it("redact requests and responses, and change no other byte", async () => {
    await guards({ slug: "tokens", name: "Tokens", action: "redact", checks: [SECRETS] });
    const before = '{ "a" : "\\u0041 ';
    const after = '", "n":12345678901234567890.10, "é":[ true,null ] }';
    const result = await call(`${before}${TOKEN}${after}`);
    assert.match(sent()[0] ?? "", /"arguments":\{ "a" : "\\u0041 \[REDACTED[^"\]]*\]", "n":12345678901234567890\.10,/);
    assert.ok(sent()[0]?.includes('"n":12345678901234567890.10, "é":[ true,null ] }'));
    assert.ok(!sent()[0]?.includes(TOKEN));
    assert.deepEqual(noteOf(result), { slug: "tokens", action: "redact", direction: "request", redactions: 1 });

    const { result: read } = await post("resources/read", { uri: RESOURCE });
    assert.ok(!JSON.stringify(read).includes(TOKEN), JSON.stringify(read));
    assert.equal(read._meta["io.gatehouse/guard"].direction, "response");
    const [row] = await logs("guard_action=redact&method=resources/read");
    assert.deepEqual([row.outcome, row.guard_slug], ["ok", "tokens"]);
  });

  it("drop structured content that no longer matches the output schema", async () => {
    const four = { type: "regex", name: "Four", config: { pattern: "abcd", replacement: "[gone]" } };
    await guards({ slug: "four", name: "Four", action: "redact", direction: "response", checks: [four] });
    const loose = await call({ a: "abcd" });
    assert.deepEqual(loose.structuredContent, { a: "[gone]" });
    const strict = await call({ a: "abcd" }, "github__strict");
    assert.equal(strict.structuredContent, undefined);
    assert.ok(Array.isArray(strict.content));
    assert.deepEqual((await call({ a: "ok" }, "github__strict")).structuredContent, { a: "ok" });
  });

  it("warn in _meta, and log without telling the caller", async () => {
    await guards({ slug: "w", name: "W", action: "warn", direction: "request", checks: [CARDS] });
    assert.deepEqual(noteOf(await call({ note: `card ${CARD}` })), { slug: "w", action: "warn", direction: "request" });
    assert.ok(sent()[0]?.includes(CARD));
    await guards({ slug: "l", name: "L", action: "log", direction: "request", checks: [CARDS] });
    assert.equal(noteOf(await call({ note: `card ${CARD}` })), undefined);
    assert.equal((await logs("guard=l&guard_action=log"))[0].outcome, "ok");
    await guards({ slug: "t", name: "T", action: "block", threshold: 10, direction: "request", checks: [CARDS] });
    assert.equal((await call({ n: CARD.replaceAll(" ", "") })).isError, undefined, "below the threshold");
  });

  it("block prompts and resources with an error, and errors of the upstream like results", async () => {
    await guards({ slug: "all", name: "All", action: "block", checks: [SECRETS, CARDS] });
    const prompt = await post("prompts/get", { name: "github__review", arguments: { a: TOKEN } });
    assert.deepEqual([prompt.error.code, prompt.error.message], [-32001, 'Blocked by guard "All"']);
    assert.deepEqual(sent(), []);
    const read = await post("resources/read", { uri: RESOURCE });
    assert.equal(read.error.code, -32001);
    assert.ok(!JSON.stringify(read).includes(TOKEN));
    assert.equal(sent().length, 1);

    await guards({ slug: "mask", name: "Mask", action: "redact", direction: "response", checks: [SECRETS] });
    github.behave = ({ id }) => ({
      status: 200,
      body: `{"jsonrpc":"2.0","id":${id},"error":{"code":-32000,"message":"bad ${TOKEN}"}}`,
      headers: { "content-type": "application/json" },
    });
    const { error } = await post("tools/call", { name: "github__echo", arguments: {} });
    assert.match(error.message, /^bad \[REDACTED/);
    assert.equal((await logs("outcome=error"))[0].error, "The server answered with error -32000");
  });

  it("refuse duplicate keys, which parsers read differently", async () => {
    await guards({ slug: "cards", name: "Cards", action: "log", checks: [CARDS] });
    const refused = await call('{"a":{"b":1,"b":2}}');
    assert.match(refused.content[0]?.text ?? "", /^Blocked: the content has an object with duplicate keys/);
    assert.deepEqual(sent(), []);
    assert.deepEqual((await logs("outcome=blocked"))[0].guard_slug, null);
  });

  it("apply to the servers, tools, groups and users of their scope only", async () => {
    const blocks = async (scope: object, name: string, user: MachineUser) => {
      await guards({ slug: "s", name: "S", action: "block", direction: "request", checks: [CARDS], scope });
      return (await call({ note: `card ${CARD}` }, name, user)).isError === true;
    };
    assert.equal(await blocks({ servers: ["github"] }, "github__echo", ann), true);
    assert.equal(await blocks({ servers: ["github"] }, "linear__echo", ann), false);
    assert.equal(await blocks({ exclude_servers: ["github"] }, "github__echo", ann), false);
    assert.equal(await blocks({ tools: ["github__str*"] }, "github__strict", ann), true);
    assert.equal(await blocks({ tools: ["github__str*"] }, "github__echo", ann), false);
    assert.equal(await blocks({ groups: ["Sales"] }, "github__echo", bob), true);
    assert.equal(await blocks({ groups: ["Sales"] }, "github__echo", ann), false);
    assert.equal(await blocks({ users: [ann.email] }, "github__echo", ann), true);
    assert.equal(await blocks({ users: [ann.email] }, "github__echo", bob), false);
  });

  it("follow the tools of their scope when a server is renamed", async () => {
    const scope = { tools: ["linear__str*"] };
    await guards({ slug: "s", name: "S", action: "block", direction: "request", checks: [CARDS], scope });
    const rename = async (from: string, to: string) => {
      const answer = await service.api("PATCH", `/api/mcp-servers?slug=${from}`, { slug: to });
      assert.equal(answer.status, 200, answer.text);
    };
    await rename("linear", "tickets");
    assert.equal((await call({ note: `card ${CARD}` }, "tickets__strict")).isError, true);
    assert.equal((await call({ note: `card ${CARD}` }, "tickets__echo")).isError, undefined);
    await rename("tickets", "linear");
  });

  it("apply as they were when the call started", async () => {
    await guards({ slug: "r", name: "R", action: "redact", direction: "response", checks: [SECRETS] });
    let release = () => {};
    gate = new Promise((resolve) => {
      release = resolve;
    });
    const pending = call({ a: TOKEN });
    while (sent().length === 0) await sleep(5);
    await guards();
    release();
    const result = await pending;
    assert.ok(!JSON.stringify(result).includes(TOKEN));
    gate = undefined;
    assert.ok(JSON.stringify(await call({ a: TOKEN })).includes(TOKEN));
  });

  it("check progress and log messages before they are sent, in order", async () => {
    const action = { slug: "p", name: "P", direction: "response", checks: [SECRETS] };
    const streamed = async () => {
      github.behave = ({ method }) => (method === "tools/call" ? { raw: sendProgressWith(TOKEN) } : "json");
      const stream = await readEvents(`${service.url}/mcp`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${ann.credential}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
        },
        body: JSON.stringify(rpc("tools/call", { name: "github__echo", arguments: {}, _meta: { progressToken: "t" } })),
      });
      try {
        await stream.until(/"result"/);
        return stream.text;
      } finally {
        stream.close();
      }
    };
    await guards({ ...action, action: "redact" });
    const redacted = await streamed();
    assert.ok(!redacted.includes(TOKEN), redacted);
    assert.match(redacted, /"message":"using \[REDACTED.*"message":"done".*"data":\{"used":"\[REDACTED.*"result"/s);
    await guards({ ...action, action: "block" });
    const blocked = await streamed();
    assert.ok(!blocked.includes("using") && blocked.includes('"message":"done"'), blocked);
    assert.equal((await logs("guard=p&guard_action=redact")).length, 2);
  });

  it("send guard.blocked to webhooks combined", async () => {
    const receiver = await startWebhookReceiver();
    try {
      await service.api("POST", "/api/webhooks", { name: "Blocks", url: receiver.url, events: ["guard.blocked"] });
      await guards({ slug: "hook", name: "Hook", action: "block", direction: "request", checks: [CARDS] });
      await Promise.all(Array.from({ length: 5 }, () => call({ note: `card ${CARD}` })));
      const events = () => receiver.requests.map(({ body }) => JSON.parse(body).data).filter(isOfHook);
      const count = () => events().reduce((sum, data) => sum + data.count, 0);
      for (let waits = 0; count() < 5 && waits < 400; waits++) await sleep(25);
      assert.equal(count(), 5);
      assert.ok(events().length < 5, "frequent blocks are combined");
      const [{ direction, server_slug, tool, user_email }] = events();
      assert.deepEqual([direction, server_slug, tool, user_email], ["request", "github", "echo", ann.email]);
      assert.ok(!JSON.stringify(receiver.requests).includes("4111"));
    } finally {
      await receiver.close();
    }
  });

  it("never log matched text", async () => {
    await guards(
      { slug: "a", name: "A", action: "log", checks: [CARDS] },
      { slug: "b", name: "B", action: "redact", checks: [SECRETS] },
      { slug: "c", name: "C", action: "block", direction: "response", checks: [CARDS] },
    );
    const answers = [
      await call({ note: `card ${CARD}`, token: TOKEN, [`key ${TOKEN}`]: 1 }),
      await call({ token: TOKEN }, "github__strict"),
    ];
    const rows = JSON.stringify(await logs());
    const metrics = await (await fetch(service.metricsUrl ?? "")).text();
    const spool = join(database.dataDir, "spool");
    const marks = readdirSync(spool).map((file) => readFileSync(join(spool, file), "latin1"));
    for (const text of [JSON.stringify(answers), rows, metrics, logged.join("\n"), ...marks])
      for (const secret of [CARD, TOKEN, "4111", TOKEN.slice(4, 20)]) assert.ok(!text.includes(secret), secret);
    const { calls } = database.databases;
    const stored = [
      await calls.selectFrom("calls").selectAll().execute(),
      await calls.selectFrom("log_names").selectAll().execute(),
    ];
    assert.ok(!JSON.stringify(stored).includes("4111") && !JSON.stringify(stored).includes(TOKEN));
  });

  it("are counted, at the latest when the service ends", async () => {
    await guards({ slug: "counted", name: "Counted", action: "log", direction: "request", checks: [CARDS] });
    const { main, calls } = database.databases;
    const { id } = await main.selectFrom("guards").select("id").where("slug", "=", "counted").executeTakeFirstOrThrow();
    for (const text of [CARD, NO_CARD, CARD]) await call({ note: `card ${text}` });
    await service.close();
    const count = (await guardCountsOf(calls, [id, "grd_none"])).get(id);
    assert.deepEqual([count?.evaluated, count?.fired], [3, 2]);
    assert.ok((count?.lastFiredAt ?? 0) > 0);
  });
});
