import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { type Clock, systemClock } from "#lib/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { modernHeaders, readEvents } from "#test/gateway-kit";
import { callAsModern, type ModernAnswer, type ModernCall, modernCall } from "#test/modern-caller";
import { type Service, startService } from "#test/start-service";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { addInquiringTools } from "#test/upstreams/inquiring-tools";

const ELICITED = { action: "accept", content: { name: "Ada" } };
const HELD_MS = 10 * 60_000;

/** Behavior does not depend on the database, so one is enough. */
describe("a call that waits for answers of a modern caller", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: EchoUpstream;
  let bot: MachineUser;
  let other: MachineUser;
  /** How long ten minutes take. */
  let heldMs = HELD_MS;
  const clock: Clock = {
    ...systemClock,
    after: (delayMs, task) => systemClock.after(delayMs === HELD_MS ? heldMs : delayMs, task),
  };
  let asked = 0;
  let cancelled = 0;

  function addTools(server: McpServer): void {
    addInquiringTools(server);
    server.registerTool("patient", { inputSchema: z.looseObject({}) }, async (_given, { mcpReq }) => {
      asked++;
      mcpReq.signal.addEventListener("abort", () => cancelled++, { once: true });
      return { content: [{ type: "text", text: JSON.stringify(await mcpReq.send({ method: "roots/list" })) }] };
    });
    server.registerTool("slow_after", { inputSchema: z.looseObject({}) }, async (_given, { mcpReq }) => {
      mcpReq.signal.addEventListener("abort", () => cancelled++, { once: true });
      await mcpReq.send({ method: "roots/list" });
      // The token of the first request: the caller's tokens are not known here.
      const progressToken = mcpReq._meta?.progressToken ?? "none";
      await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress: 1 } });
      await sleep(60_000, undefined, { ref: false, signal: mcpReq.signal });
      return { content: [] };
    });
    server.registerTool("impatient", { inputSchema: z.looseObject({}) }, async (_given, { mcpReq }) => {
      mcpReq.send({ method: "roots/list" }).catch(() => {});
      await sleep(100);
      return { content: [{ type: "text", text: "not waited" }] };
    });
  }

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database, { clock });
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addTools });
    await createSyncedServer(service, "Asker", upstream.url);
    bot = await createMachineUser(service, "bot");
    other = await createMachineUser(service, "other");
    await createGroup(service, "bots", { slugs: ["asker"], emails: [bot.email, other.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  const call = (tool: string, options: ModernCall = {}, user = bot) =>
    callAsModern(service, user.credential, `asker__${tool}`, options);
  const answerAll = (question: ModernAnswer, value: object = ELICITED) => ({
    requestState: question.last.result.requestState,
    inputResponses: Object.fromEntries(Object.keys(question.last.result.inputRequests).map((key) => [key, value])),
  });
  const textOf = ({ last }: ModernAnswer) => last.result?.content?.[0]?.text ?? JSON.stringify(last);
  const logs = async (limit = 1) => (await service.api("GET", `/api/logs?limit=${limit}&kind=calls`)).body.data;
  const eventually = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await sleep(10);
  };

  it("is one record, under the id of its first request", async () => {
    const question = await call("elicit", { id: "first" });
    assert.equal(question.last.id, "first");
    assert.equal(question.last.result.resultType, "input_required");
    assert.ok(question.last.result._meta["io.modelcontextprotocol/serverInfo"]);
    const [request] = Object.values<{ method: string; params: object }>(question.last.result.inputRequests);
    assert.equal(request?.method, "elicitation/create");
    const result = await call("elicit", { ...answerAll(question), id: "second" });
    assert.equal(result.last.id, "second");
    assert.deepEqual(JSON.parse(textOf(result)), { elicit: ELICITED });
    assert.equal(result.headers["x-request-id"], question.headers["x-request-id"]);
    const [record, before] = await logs(2);
    assert.equal(record.request_id, question.headers["x-request-id"]);
    assert.deepEqual([record.outcome, record.tool], ["ok", "elicit"]);
    assert.notEqual(before?.tool, "elicit");
  });

  it("rejects states that are forged, replayed, or of another user or tool, and remains open", async () => {
    const question = await call("patient");
    const retry = answerAll(question, { roots: [] });
    const before = asked;
    const forged = `${retry.requestState.slice(0, -4)}AAAA`;
    const refused = [
      await call("patient", { ...retry, requestState: forged }),
      await call("patient", { ...retry, requestState: "anything" }),
      await call("patient", retry, other),
      await call("elicit", retry),
    ];
    for (const { last, status } of refused) {
      assert.deepEqual([status, last.error?.code], [200, -32602], JSON.stringify(last));
      assert.match(last.error.message, /requestState is not valid for this request/);
    }
    const [record] = await logs();
    assert.deepEqual([record.outcome, record.tool, record.server_slug], ["denied", "elicit", "asker"]);
    assert.match((await call("patient", { ...retry, inputResponses: { a: 1 } })).last.error.message, /inputResponses/);
    assert.equal(textOf(await call("patient", retry)), '{"roots":[]}');
    assert.match((await call("patient", retry)).last.error.message, /answered already/);
    assert.equal(asked, before);
  });

  it("accepts one of two answers that arrive together", async () => {
    const retry = answerAll(await call("twice"));
    const answers = await Promise.all([call("twice", retry), call("twice", retry)]);
    const next = answers.find(({ last }) => last.result);
    const refused = answers.find(({ last }) => last.error);
    assert.match(refused?.last.error.message, /answered already/);
    assert.ok(next);
    assert.equal(next.last.result.resultType, "input_required");
    assert.match((await call("twice", retry)).last.error.message, /answered already/);
    assert.deepEqual(JSON.parse(textOf(await call("twice", answerAll(next)))), ELICITED);
  });

  it("asks again for answers that are missing", async () => {
    const question = await call("everything");
    assert.equal(Object.keys(question.last.result.inputRequests).length, 3);
    const { requestState, inputResponses } = answerAll(question);
    const [first] = Object.entries(inputResponses);
    const again = await call("everything", { requestState, inputResponses: Object.fromEntries(first ? [first] : []) });
    assert.equal(Object.keys(again.last.result.inputRequests).length, 2);
    assert.notEqual(again.last.result.requestState, requestState);
    assert.ok((await call("everything", answerAll(again))).last.result.content);
  });

  it("streams progress after the answer, under the token of the answering request", async () => {
    const retry = answerAll(await call("twice", { progressToken: "one" }));
    const next = await call("twice", { ...retry, progressToken: "two" });
    assert.deepEqual(next.messages[0].params, { progressToken: "two", progress: 1, total: 2 });
    assert.equal(next.last.result.resultType, "input_required");
    assert.deepEqual(JSON.parse(textOf(await call("twice", answerAll(next)))), ELICITED);
  });

  it("delivers a result that did not wait for the answer", async () => {
    const question = await call("impatient");
    await sleep(200);
    assert.equal(textOf(await call("impatient", answerAll(question))), "not waited");
  });

  it("is canceled at the upstream and in the log if the caller does not come back", async () => {
    heldMs = 100;
    const before = cancelled;
    const question = await call("patient");
    heldMs = HELD_MS;
    await eventually(() => cancelled > before);
    const [record] = await logs();
    assert.equal(record.request_id, question.headers["x-request-id"]);
    assert.deepEqual([record.outcome, record.tool], ["cancelled", "patient"]);
    assert.match(record.error, /did not answer .* within 10 minutes/);
    const late = await call("patient", answerAll(question));
    assert.match(late.last.error.message, /has ended: The caller did not answer/);
  });

  it("keeps its place in the limits of its group until it ends, and counts once", async () => {
    const limit = (limits: object | null) => service.api("PATCH", "/api/groups?name=bots", { limits });
    await limit({ concurrent_calls: 1, calls_per_minute: 3 });
    const question = await call("patient");
    const refused = await call("patient");
    assert.equal(refused.status, 429);
    assert.match(refused.last.error.message, /^Group bots allows 1 concurrent call per member/);
    assert.equal(textOf(await call("patient", answerAll(question, { roots: [] }))), '{"roots":[]}');
    heldMs = 100;
    const before = cancelled;
    await call("patient");
    heldMs = HELD_MS;
    await eventually(() => cancelled > before);
    assert.ok((await call("patient", answerAll(await call("patient"), { roots: [] }))).last.result);
    await limit({ concurrent_calls: null });
    assert.match((await call("patient")).last.error.message, /^Group bots allows 3 calls per minute per member/);
    await limit(null);
  });

  it("is canceled if the caller disconnects after it has answered", async () => {
    const retry = answerAll(await call("slow_after", { progressToken: "first" }), { roots: [] });
    const before = cancelled;
    const request = modernCall("asker__slow_after", { ...retry, progressToken: "p" });
    const events = await readEvents(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        ...modernHeaders("tools/call", "asker__slow_after"),
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(request),
    });
    await events.until(/progress/);
    events.close();
    await eventually(() => cancelled > before);
    assert.deepEqual((await logs())[0].outcome, "cancelled");
  });

  it("ends when the caller loses access", async () => {
    const before = cancelled;
    const question = await call("patient", {}, other);
    await service.api("DELETE", `/api/groups/bots/users?email=${other.email}`);
    await eventually(() => cancelled > before);
    assert.match((await call("patient", answerAll(question), other)).last.error.message, /Unknown tool/);
    await service.api("POST", "/api/groups/bots/users", { emails: [other.email] });
    const late = await call("patient", answerAll(question), other);
    assert.match(late.last.error.message, /no longer have access/);
  });

  it("fails when the upstream closes the connection", async () => {
    const dying = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addTools });
    await createSyncedServer(service, "Dying", dying.url);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: ["dying"] });
    const question = await callAsModern(service, bot.credential, "dying__patient");
    assert.equal(question.last.result.resultType, "input_required");
    await dying.close();
    await eventually(async () => (await logs())[0].request_id === question.headers["x-request-id"]);
    assert.equal((await logs())[0].outcome, "upstream_failed");
    const late = await callAsModern(service, bot.credential, "dying__patient", answerAll(question));
    assert.match(late.last.error.message, /has ended: Server "dying" /);
  });

  it("is refused beyond 16 per user, which does not affect other users and other calls", async () => {
    const questions = await Promise.all(Array.from({ length: 16 }, () => call("patient")));
    assert.ok(questions.every(({ last }) => last.result.resultType === "input_required"));
    const refused = await call("patient");
    assert.match(refused.last.error.message, /Too many of your calls wait for your answers/);
    const theirs = await call("patient", {}, other);
    assert.equal(theirs.last.result.resultType, "input_required");
    assert.deepEqual((await call("echo", { arguments: { a: 1 } })).last.result.structuredContent, { a: 1 });
    for (const each of [...questions, theirs]) {
      const user = each === theirs ? other : bot;
      assert.equal(textOf(await call("patient", answerAll(each, { roots: [] }), user)), '{"roots":[]}');
    }
  });

  it("is refused beyond 32 at a server, whose other calls continue", async () => {
    const users = [bot, other, await createMachineUser(service, "third")];
    await service.api("POST", "/api/groups/bots/users", { emails: [users[2]?.email] });
    const all = await Promise.all(
      users.flatMap((user) =>
        Array.from({ length: 16 }, async () => ({ user, answer: await call("patient", {}, user) })),
      ),
    );
    const held = all.filter(({ answer }) => answer.last.result);
    assert.equal(held.length, 32);
    for (const { answer } of all)
      if (answer.last.error) assert.match(answer.last.error.message, /too many calls that wait/);
    const calls = await Promise.all(Array.from({ length: 64 }, () => call("echo", { arguments: { a: 1 } })));
    assert.ok(calls.every(({ last }) => last.result));
    for (const { user, answer } of held) await call("patient", answerAll(answer, { roots: [] }), user);
  });

  it("is canceled when the gateway stops", async () => {
    const own = await openTestSqlite();
    const stopping = await startService(own);
    await createSyncedServer(stopping, "Asker", upstream.url);
    const user = await createMachineUser(stopping, "bot");
    await createGroup(stopping, "bots", { slugs: ["asker"], emails: [user.email] });
    const before = cancelled;
    const question = await callAsModern(stopping, user.credential, "asker__patient");
    assert.equal(question.last.result.resultType, "input_required");
    await stopping.close();
    await eventually(() => cancelled > before);
    const again = await startService(own);
    try {
      const headers = { authorization: `Bearer ${stopping.token}` };
      const [record] = (await again.http("/api/logs?limit=1&kind=calls", { headers })).body.data;
      assert.deepEqual([record.outcome, record.tool], ["cancelled", "patient"]);
    } finally {
      await again.close();
      await own.close();
    }
  });
});
