import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { onPostgres, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { modernHeaders, readEvents, rpc } from "#test/gateway-kit";
import { callAsModern, type ModernAnswer, type ModernCall, modernCall } from "#test/modern-caller";
import { type Service, startService } from "#test/start-service";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { addInquiringTools } from "#test/upstreams/inquiring-tools";

const ROOTS = { roots: [{ uri: "file:///home" }] };
const LARGE = "é".repeat(2 << 20);

/** Without a load balancer, so that each test selects the process. Only Postgres has several. */
onPostgres("a call that another process holds", (open) => {
  let database: TestDatabase;
  let services: [Service, Service];
  let upstream: EchoUpstream;
  let bot: MachineUser;
  let other: MachineUser;
  let cancelled = 0;
  let continuing = 0;

  function addTools(server: McpServer): void {
    addInquiringTools(server);
    server.registerTool("patient", { inputSchema: z.looseObject({}) }, async (given, { mcpReq }) => {
      mcpReq.signal.addEventListener("abort", () => cancelled++, { once: true });
      const answer = await mcpReq.send({ method: "roots/list" });
      const progressToken = mcpReq._meta?.progressToken;
      for (const progress of progressToken === undefined ? [] : [1, 2, 3])
        await mcpReq.notify({ method: "notifications/progress", params: { progressToken, progress } });
      if (given.waits) continuing++;
      if (given.waits) await sleep(60_000, undefined, { ref: false, signal: mcpReq.signal });
      return { content: [{ type: "text", text: given.large ? LARGE : JSON.stringify(answer) }] };
    });
  }

  before(async () => {
    database = await open();
    services = [await startService(database), await startService(database)];
    const [one] = services;
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addTools });
    await createSyncedServer(one, "Asker", upstream.url);
    bot = await createMachineUser(one, "bot");
    other = await createMachineUser(one, "other");
    await createGroup(one, "bots", { slugs: ["asker"], emails: [bot.email, other.email] });
    await knows(services[1]);
  });
  after(async () => {
    for (const service of services ?? []) await service.close();
    await upstream?.close();
  });

  const knows = async (service: Service) => {
    while (!(await service.mcp(other.credential, rpc("tools/list"))).body.result?.tools.length) await sleep(20);
  };
  const call = (service: Service, options: ModernCall = {}, user = bot, tool = "patient") =>
    callAsModern(service, user.credential, `asker__${tool}`, options);
  const answerAll = (question: ModernAnswer, value: object = ROOTS) => ({
    requestState: question.last.result.requestState,
    inputResponses: Object.fromEntries(Object.keys(question.last.result.inputRequests).map((key) => [key, value])),
  });
  const textOf = ({ last }: ModernAnswer) => last.result?.content?.[0]?.text ?? JSON.stringify(last);
  const logsOf = async (requestId: unknown) => {
    const { data } = (await services[0].api("GET", "/api/logs?limit=50&kind=calls")).body;
    return data.filter((record: { request_id: string }) => record.request_id === requestId);
  };
  const eventually = async (condition: () => boolean | Promise<boolean>) => {
    while (!(await condition())) await sleep(20);
  };

  it("is continued there, with its progress, and is one record", async () => {
    const [one, two] = services;
    const question = await call(one, { progressToken: "first" });
    const result = await call(two, { ...answerAll(question), progressToken: "second", id: "b" });
    assert.deepEqual(
      result.messages.slice(0, -1).map(({ params }) => params),
      [1, 2, 3].map((progress) => ({ progressToken: "second", progress })),
    );
    assert.equal(result.last.id, "b");
    assert.equal(textOf(result), JSON.stringify(ROOTS));
    const requestId = question.headers["x-request-id"];
    await eventually(async () => (await logsOf(requestId)).length > 0);
    const [record, ...more] = await logsOf(requestId);
    assert.deepEqual([record.outcome, record.tool, more], ["ok", "patient", []]);
    const plain = await call(two, answerAll(await call(one)));
    assert.equal(plain.headers["content-type"], "application/json");
  });

  it("returns a large result, and accepts large answers", async () => {
    const [one, two] = services;
    const result = await call(two, answerAll(await call(one, { arguments: { large: true } })));
    assert.equal(textOf(result), LARGE);
    const roots = { roots: [{ uri: "file:///home", name: "n".repeat(1 << 20) }] };
    assert.equal(textOf(await call(two, answerAll(await call(one), roots))), JSON.stringify(roots));
  });

  it("rejects answers of another user, and of two answers accepts one", async () => {
    const [one, two] = services;
    const retry = answerAll(await call(one));
    assert.match((await call(two, retry, other)).last.error.message, /requestState is not valid/);
    const answers = await Promise.all([call(one, retry), call(two, retry), call(two, retry)]);
    assert.equal(answers.filter(({ last }) => last.result).length, 1);
    for (const { last } of answers) if (last.error) assert.match(last.error.message, /answered already|has ended/);
  });

  it("asks again through the other process", async () => {
    const [one, two] = services;
    const first = await call(one, {}, bot, "twice");
    const elicited = { action: "accept", content: { name: "Ada" } };
    const second = await call(two, answerAll(first, elicited), bot, "twice");
    assert.equal(second.last.result.resultType, "input_required");
    assert.equal(textOf(await call(two, answerAll(second, elicited), bot, "twice")), JSON.stringify(elicited));
  });

  it("is canceled when the caller disconnects from the other process", async () => {
    const [one, two] = services;
    const before = cancelled;
    const question = await call(one, { arguments: { waits: true }, progressToken: "p" });
    const events = await readEvents(`${two.url}/mcp`, {
      method: "POST",
      headers: {
        ...modernHeaders("tools/call", "asker__patient"),
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(modernCall("asker__patient", { ...answerAll(question), progressToken: "p" })),
    });
    await events.until(/progress/);
    events.close();
    await eventually(() => cancelled > before);
    await eventually(async () => (await logsOf(question.headers["x-request-id"]))[0]?.outcome === "cancelled");
  });

  it("gets a clear error when the process that holds it has stopped, before and during the answer", async () => {
    const [one] = services;
    const third = await startService(database);
    await knows(third);
    continuing = 0;
    const before = await call(third);
    const during = await call(third, { arguments: { waits: true } });
    const continued = call(one, { ...answerAll(during), progressToken: "p" });
    await eventually(() => continuing > 0);
    await third.close();
    assert.match((await continued).last.error.message, /has stopped|shutting down/);
    assert.match((await call(one, answerAll(before))).last.error.message, /process that held this call has stopped/);
  });
});
