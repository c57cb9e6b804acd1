import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callAsModern, type ModernAnswer, type ModernCall } from "#test/modern-caller";
import { type Service, startService } from "#test/start-service";
import { addAskingTools } from "#test/upstreams/asking-tools";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { type EventStreamUpstream, startEventStreamUpstream } from "#test/upstreams/event-stream";
import { addInquiringTools } from "#test/upstreams/inquiring-tools";

const ELICITED = { action: "accept", content: { name: "Ada" } };

function addTools(server: McpServer): void {
  addAskingTools(server);
  addInquiringTools(server);
  server.registerTool("flood", { inputSchema: z.looseObject({}) }, async (_given, { mcpReq }) => {
    const sent = await Promise.allSettled(Array.from({ length: 30 }, () => mcpReq.send({ method: "roots/list" })));
    const answered = sent.filter(({ status }) => status === "fulfilled").length;
    return { content: [{ type: "text", text: `${answered} of ${sent.length}` }] };
  });
}

/** Behavior does not depend on the database, so one is enough. */
describe("a session with a legacy upstream for a modern caller", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: EchoUpstream;
  let older: EventStreamUpstream;
  let bot: MachineUser;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addTools });
    await createSyncedServer(service, "Asker", upstream.url);
    older = await startEventStreamUpstream({ extend: addAskingTools });
    await createSyncedServer(service, "Older", older.url, {
      mcp_proxy: JSON.stringify({ type: "sse", url: older.url }),
    });
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["asker", "older"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await older?.close();
    await database?.close();
  });

  const call = (tool: string, options: ModernCall = {}) =>
    callAsModern(service, bot.credential, `asker__${tool}`, options);
  const answerAll = (question: ModernAnswer, value: object = ELICITED) => ({
    requestState: question.last.result.requestState,
    inputResponses: Object.fromEntries(Object.keys(question.last.result.inputRequests).map((key) => [key, value])),
  });
  const textOf = ({ last }: ModernAnswer) => last.result?.content?.[0]?.text ?? JSON.stringify(last);

  it("declares the capabilities of the caller, and is not shared by callers with others", async () => {
    const declared = async (capabilities: object) => JSON.parse(textOf(await call("can_ask", { capabilities })));
    assert.deepEqual(await declared({ roots: {}, tasks: {} }), { roots: {} });
    assert.deepEqual(await declared({ sampling: {} }), { sampling: {} });
    assert.deepEqual(await declared({}), {});
    assert.match(textOf(await call("elicit", { capabilities: {} })), /Method not found/);
    assert.match(textOf(await call("elicit", { capabilities: { roots: {} } })), /Method not found/);
  });

  it("assigns questions that name no call to the call that caused them", async () => {
    // Meanwhile another call waits, which uses the same capabilities.
    const waiting = await call("roots");
    const alone = await call("ask_aside", { arguments: { message: "alone" } });
    assert.match(JSON.stringify(alone.last), /"message":"alone"/);
    const both = await Promise.all(
      ["one", "two", "three"].map(async (message) => ({
        message,
        answer: await call("ask_aside", { arguments: { message } }),
      })),
    );
    for (const { message, answer } of both) {
      const [request] = Object.values<{ params: { message: string } }>(answer.last.result.inputRequests);
      assert.equal(request?.params.message, message);
      const mine = { action: "accept", content: { name: message } };
      assert.deepEqual(JSON.parse(textOf(await call("ask_aside", answerAll(answer, mine)))), mine);
    }
    assert.deepEqual(JSON.parse(textOf(await call("ask_aside", answerAll(alone)))), ELICITED);
    assert.equal(textOf(await call("roots", answerAll(waiting, { roots: [] }))), '{"roots":{"roots":[]}}');
  });

  it("relays URLs that the server requires, once, before the call is sent again", async () => {
    const question = await call("sign_in");
    const [request] = Object.values(question.last.result.inputRequests);
    const params = { mode: "url", message: "Open it", url: "https://example.com/approve" };
    assert.deepEqual(request, { method: "elicitation/create", params });
    assert.equal(textOf(await call("sign_in", answerAll(question, { action: "accept" }))), "signed in");
    const withoutUrls = await call("sign_in", { capabilities: { elicitation: { form: {} } } });
    assert.equal(withoutUrls.last.error?.code, -32603);
  });

  it("relays questions over HTTP+SSE", async () => {
    for (const tool of ["older__ask", "older__ask_aside"]) {
      const question = await callAsModern(service, bot.credential, tool, { arguments: { message: "Older?" } });
      assert.match(JSON.stringify(question.last), /"message":"Older\?"/);
      const result = await callAsModern(service, bot.credential, tool, answerAll(question));
      assert.deepEqual(JSON.parse(textOf(result)), ELICITED);
    }
  });

  it("relays at most 16 concurrent questions of a call, and refuses the others", async () => {
    const question = await call("flood");
    assert.equal(Object.keys(question.last.result.inputRequests).length, 16);
    assert.equal(textOf(await call("flood", answerAll(question, { roots: [] }))), "16 of 30");
  });
});
