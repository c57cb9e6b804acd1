import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import type { McpServer } from "@modelcontextprotocol/server";
import { onSqlite } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type EventReader, initializeRequest, readEvents, rpc } from "#test/gateway-kit";
import { type Service, startService } from "#test/start-service";
import { until } from "#test/upstreams/caller";
import { type EchoUpstream, startEchoUpstream } from "#test/upstreams/echo";

const CAPABILITIES = { elicitation: { form: {}, url: {} }, roots: { listChanged: true } };
const ANSWER = { action: "accept", content: {} };
const QUESTION = {
  method: "elicitation/create" as const,
  params: { message: "?", requestedSchema: { type: "object" as const, properties: {} } },
};

onSqlite("notifications about questions of an upstream", (open) => {
  let service: Service;
  let upstream: EchoUpstream;
  let bot: MachineUser;
  const withdrawal = new AbortController();
  let rootsChanged = 0;
  let askAside: (signal: AbortSignal) => Promise<string> = () => assert.fail();

  function addTools(server: McpServer): void {
    const textResult = (value: unknown) => ({ content: [{ type: "text" as const, text: JSON.stringify(value) }] });
    server.registerTool("withdraw", {}, async ({ mcpReq }) => {
      const asked = mcpReq.send(QUESTION, { signal: withdrawal.signal });
      return textResult(await asked.then(() => "answered").catch(() => "withdrawn"));
    });
    server.registerTool("watch", {}, async ({ mcpReq }) => {
      const steps: number[] = [];
      await mcpReq.send(QUESTION, { onprogress: ({ progress }) => void steps.push(progress) });
      return textResult(steps);
    });
    server.registerTool("complete", {}, async ({ mcpReq }) => {
      await mcpReq.notify({ method: "notifications/elicitation/complete", params: { elicitationId: "e-1" } });
      return textResult("done");
    });
    server.registerTool("arm", {}, () => {
      askAside = (signal) => server.server.elicitInput(QUESTION.params, { signal }).then(({ action }) => action);
      return textResult("armed");
    });
    server.server.setNotificationHandler("notifications/roots/list_changed", () => void rootsChanged++);
  }

  before(async () => {
    service = await startService(await open());
    upstream = await startEchoUpstream({ eras: "legacy", sessionful: true, extend: addTools });
    await createSyncedServer(service, "Asker", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["asker"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
  });

  async function begin(): Promise<string> {
    const opened = await service.mcp(bot.credential, initializeRequest({ capabilities: CAPABILITIES }));
    return String(opened.headers["mcp-session-id"]);
  }
  const post = (message: object, session: string) =>
    service.mcp(bot.credential, { jsonrpc: "2.0", ...message }, { "mcp-session-id": session });
  const call = (tool: string, session: string): Promise<EventReader> =>
    readEvents(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${bot.credential}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-session-id": session,
      },
      body: JSON.stringify(rpc("tools/call", { name: `asker__${tool}`, arguments: {} })),
    });
  const saidIn = async (events: EventReader) => {
    await events.ended;
    return JSON.parse(events.messages.at(-1)?.result?.content[0]?.text ?? "null");
  };

  it("cancels a question that the upstream withdraws, with the id that the caller knows", async () => {
    const session = await begin();
    const events = await call("withdraw", session);
    await events.until(/elicitation\/create/);
    withdrawal.abort("too late");
    await events.until(/notifications\/cancelled/);
    const [question, cancelled] = events.messages;
    assert.deepEqual(cancelled.params, { requestId: question.id, reason: "too late" });
    assert.equal(await saidIn(events), "withdrawn");
    assert.equal((await post({ id: question.id, result: ANSWER }, session)).status, 202);
  });

  it("forwards the caller's progress with a response to the upstream, with the upstream's token", async () => {
    const session = await begin();
    const events = await call("watch", session);
    await events.until(/elicitation\/create/);
    const [question] = events.messages;
    const { progressToken } = question.params._meta;
    assert.equal(typeof progressToken, "string");
    const method = "notifications/progress";
    for (const progress of [1, 2]) await post({ method, params: { progressToken, progress } }, session);
    const elsewhere = await begin();
    for (const [token, from] of [
      [progressToken, elsewhere],
      ["made-up", session],
    ])
      assert.equal((await post({ method, params: { progressToken: token, progress: 9 } }, from)).status, 202);
    await post({ id: question.id, result: ANSWER }, session);
    assert.deepEqual(await saidIn(events), [1, 2]);
  });

  it("notifies the caller that a URL elicitation is complete", async () => {
    const events = await call("complete", await begin());
    assert.equal(await saidIn(events), "done");
    const [complete] = events.messages;
    assert.deepEqual(
      [complete.method, complete.params],
      ["notifications/elicitation/complete", { elicitationId: "e-1" }],
    );
  });

  it("notifies only the upstreams of a session that the caller's roots have changed", async () => {
    const session = await begin();
    await (await call("complete", session)).ended;
    const changed = { method: "notifications/roots/list_changed" };
    assert.equal((await post(changed, await begin())).status, 202);
    assert.equal(rootsChanged, 0);
    assert.equal((await post(changed, session)).status, 202);
    await until(() => rootsChanged === 1);
  });

  it("sends and cancels a question without an open call on the session's stream", async () => {
    const session = await begin();
    const headers = { authorization: `Bearer ${bot.credential}`, "mcp-session-id": session };
    const stream = await readEvents(`${service.url}/mcp`, { method: "GET", headers });
    await (await call("arm", session)).ended;
    const answered = askAside(new AbortController().signal);
    await stream.until(/elicitation\/create/);
    const [question] = stream.messages;
    assert.equal(question.params.message, "?");
    assert.equal((await post({ id: question.id, result: ANSWER }, await begin())).status, 202);
    await post({ id: question.id, result: ANSWER }, session);
    assert.equal(await answered, "accept");
    const late = new AbortController();
    const taken = assert.rejects(askAside(late.signal));
    await stream.until(/(elicitation\/create[\s\S]*){2}/);
    late.abort("too late");
    await taken;
    await stream.until(/notifications\/cancelled/);
    const [, second, cancelled] = stream.messages;
    assert.deepEqual(cancelled.params, { requestId: second.id, reason: "too late" });
    stream.close();
  });

  it("rejects a question if no caller can receive it", async () => {
    const session = await begin();
    await (await call("arm", session)).ended;
    await assert.rejects(askAside(new AbortController().signal), /Method not found/);
  });
});
