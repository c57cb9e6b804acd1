import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type InputRequest, inputRequired, type McpServer } from "@modelcontextprotocol/server";
import { z } from "zod";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, modernHeaders, readEvents, rpc } from "#test/gateway-kit";
import { ALL_CAPABILITIES, callAsModern, modernCall } from "#test/modern-caller";
import { type Service, startService } from "#test/start-service";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";
import { addInquiringTools } from "#test/upstreams/inquiring-tools";

const ELICITED = { action: "accept", content: { name: "Ada" } };
const EVENTS = "application/json, text/event-stream";

/** Behavior does not depend on the database, so one is enough. */
describe("a call of a legacy caller to a modern upstream that requires input", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: EchoUpstream;
  let bot: MachineUser;
  let rounds = 0;

  function addTools(server: McpServer): void {
    addInquiringTools(server);
    const inputSchema = z.looseObject({});
    server.registerTool("endless", { inputSchema }, () => {
      rounds++;
      const requests = { roots: { method: "roots/list" } as InputRequest }; // the shape of the protocol's request
      return inputRequired({ inputRequests: requests });
    });
    server.registerTool("later", { inputSchema }, (_given, { mcpReq }) =>
      mcpReq.requestState() === "again"
        ? { content: [{ type: "text", text: "later" }] }
        : inputRequired({ requestState: "again" }),
    );
    server.registerTool("can_ask", { inputSchema }, (_given, { mcpReq }) => {
      const declared = new Map<string, unknown>(Object.entries(mcpReq.envelope ?? {}));
      const text = JSON.stringify(declared.get("io.modelcontextprotocol/clientCapabilities"));
      return { content: [{ type: "text", text }] };
    });
  }

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    upstream = await startEchoUpstream({ eras: "modern", extend: addTools });
    await createSyncedServer(service, "Asker", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["asker"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  const begin = async (capabilities: object = ALL_CAPABILITIES) =>
    String((await service.mcp(bot.credential, initializeRequest({ capabilities }))).headers["mcp-session-id"]);
  const callOf = (tool: string, id: unknown = 1) => rpc("tools/call", { name: `asker__${tool}`, arguments: {} }, id);
  const open = (tool: string, session: string, accept = EVENTS): Promise<EventReader> =>
    readEvents(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept,
        "mcp-session-id": session,
      },
      body: JSON.stringify(callOf(tool)),
    });
  const post = (message: object, session: string) =>
    service.mcp(bot.credential, { jsonrpc: "2.0", ...message }, { "mcp-session-id": session });
  const asked = async (tool: string, session: string) => {
    const events = await open(tool, session);
    await events.until(/"method"/);
    return { events, question: events.messages[0] };
  };
  const answered = async (events: EventReader) => {
    await events.ended;
    return events.messages.at(-1);
  };
  const logs = async () => (await service.api("GET", "/api/logs?limit=1&kind=calls")).body.data[0];

  it("is an error without a session, without the capability, and without events", async () => {
    const stateless = await service.mcp(bot.credential, callOf("elicit"));
    assert.match(stateless.body.error.message, /do not declare the required capability/);
    const without = await service.mcp(bot.credential, callOf("elicit"), {
      "mcp-session-id": await begin({ roots: {} }),
    });
    assert.match(without.body.error.message, /do not declare the required capability/);
    const headers = { "mcp-session-id": await begin(), accept: "application/json" };
    const plain = await service.mcp(bot.credential, callOf("elicit"), headers);
    assert.match(plain.body.error.message, /do not declare the required capability/);
  });

  it("declares the capabilities of the session to the upstream", async () => {
    const events = await service.mcp(bot.credential, callOf("can_ask"), { "mcp-session-id": await begin() });
    assert.deepEqual(JSON.parse(events.body.result.content[0].text), ALL_CAPABILITIES);
    const stateless = await service.mcp(bot.credential, callOf("can_ask"));
    assert.equal(stateless.body.result.content[0].text, "{}");
  });

  it("accepts only answers in its session, once", async () => {
    const session = await begin();
    const { events, question } = await asked("elicit", session);
    assert.deepEqual([question.method, question.params.message], ["elicitation/create", "Your name?"]);
    const refused = { action: "decline" };
    await post({ id: question.id, result: refused }, await begin());
    await post({ id: `${question.id.slice(0, -3)}AAA`, result: refused }, session);
    await post({ id: question.id, result: ELICITED }, session);
    await post({ id: question.id, result: refused }, session);
    assert.deepEqual(JSON.parse((await answered(events)).result.content[0].text), { elicit: ELICITED });
    assert.equal((await logs()).outcome, "ok");
  });

  it("gives an elicitation with a URL the id that legacy clients require", async () => {
    const session = await begin();
    const { events, question } = await asked("open", session);
    assert.equal(question.params.url, "https://example.com/approve");
    assert.equal(typeof question.params.elicitationId, "string");
    await post({ id: question.id, result: { action: "accept" } }, session);
    assert.ok((await answered(events)).result);
  });

  it("treats an error of the client as a canceled elicitation, and ends for other requests", async () => {
    const session = await begin();
    const error = { code: -1, message: "not now" };
    const first = await asked("elicit", session);
    await post({ id: first.question.id, error }, session);
    assert.deepEqual(JSON.parse((await answered(first.events)).result.content[0].text), {
      elicit: { action: "cancel" },
    });
    const second = await asked("sample", session);
    await post({ id: second.question.id, error }, session);
    assert.match((await answered(second.events)).error.message, /an answer that the client refused: not now/);
  });

  it("ends after 16 rounds", async () => {
    const session = await begin();
    const events = await open("endless", session);
    for (let round = 1; round <= 16; round++) {
      while (events.messages.length < round) await sleep(5);
      await post({ id: events.messages[round - 1].id, result: { roots: [] } }, session);
    }
    assert.match((await answered(events)).error.message, /requested input 16 times/);
    assert.equal(rounds, 17);
  });

  it("is sent again if the upstream only wants it later", async () => {
    const answer = await service.mcp(bot.credential, callOf("later"), { "mcp-session-id": await begin() });
    assert.equal(answer.body.result.content[0].text, "later");
  });

  it("is not sent again after the caller lost access or canceled it", async () => {
    const session = await begin();
    const { events, question } = await asked("elicit", session);
    await service.api("DELETE", "/api/groups/bots/integrations?slug=asker");
    await post({ id: question.id, result: ELICITED }, session);
    assert.match((await answered(events)).error.message, /no longer have access/);
    await service.api("POST", "/api/groups/bots/integrations", { slugs: ["asker"] });
    const canceled = await asked("elicit", session);
    await post({ method: "notifications/cancelled", params: { requestId: 1 } }, session);
    assert.match((await answered(canceled.events)).error.message, /cancelled/);
    assert.equal((await logs()).outcome, "cancelled");
  });

  it("passes unchanged between modern participants", async () => {
    const message = { ...modernCall("elicit"), id: 7 };
    const headers = { ...modernHeaders("tools/call", "elicit"), "content-type": "application/json", accept: EVENTS };
    const direct = await fetchJson(upstream.url, headers, message);
    const through = await service.http("/mcp/asker", {
      method: "POST",
      headers: { ...headers, authorization: `Bearer ${bot.credential}` },
      body: JSON.stringify(message),
    });
    assert.deepEqual(through.body, direct);
    const { requestState } = direct.result;
    assert.equal(requestState, "opaque: é");
    const retry = { requestState, inputResponses: { elicit: ELICITED } };
    const result = await callAsModern(service, bot.credential, "asker__elicit", retry);
    assert.deepEqual(JSON.parse(result.last.result.content[0].text), { elicit: ELICITED });
  });
});

// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
async function fetchJson(url: string, headers: Record<string, string>, message: object): Promise<any> {
  const events = await readEvents(url, { method: "POST", headers, body: JSON.stringify(message) });
  await events.ended;
  return JSON.parse(events.text);
}
