import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type Behaviour, type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const TEXT = "0123456789".repeat(80_000);

/** Behavior does not depend on the database, so one is enough. */
describe("messages that are read in turns (GW-12)", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let upstream: RawUpstream;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    bot = await createMachineUser(service, "bot");
    upstream = await startRawUpstream();
    await createSyncedServer(service, "big", upstream.url);
    await createGroup(service, "bots", { slugs: ["big"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  function call(answer: (id: string, progressToken: string) => Behaviour) {
    upstream.behave = ({ method, id = "", body }) => {
      if (method !== "tools/call") return "json";
      return answer(id, /"progressToken":(\d+)/.exec(body.toString("latin1"))?.[1] ?? "");
    };
    const text = callText({ era: "legacy", id: "7", tool: "big__echo", arguments: "{}" });
    const withProgress = text.replace('"arguments"', '"_meta":{"progressToken":"p"},"arguments"');
    return service.mcp(bot.credential, withProgress, { accept: "application/json, text/event-stream" });
  }
  const events = (...messages: readonly string[]): Behaviour => ({
    status: 200,
    headers: { "content-type": "text/event-stream" },
    body: messages.map((message) => `data: ${message}\n\n`).join(""),
  });
  const result = (id: string, text: string) => `{"jsonrpc":"2.0","id":${id},"result":{"content":[],"text":"${text}"}}`;
  const progress = (token: string, message: string) =>
    `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":${token},"progress":1,"message":"${message}"}}`;

  it("reach the caller in order with what follows them", async () => {
    const { text } = await call((id, token) =>
      events(progress(token, TEXT), progress(token, "next"), result(id, "end")),
    );
    const messages = text.split("\n").filter((line) => line.startsWith("data: {"));
    assert.equal(messages.length, 3);
    assert.deepEqual(
      messages.map((line) => [line.includes(TEXT), line.includes('"next"'), line.includes('"end"')]),
      [
        [true, false, false],
        [false, true, false],
        [false, false, true],
      ],
    );
  });

  it("can be a result, with or without a stream", async () => {
    for (const behaviour of [events, (body: string): Behaviour => ({ status: 200, body })]) {
      const { status, body } = await call((id) => behaviour(result(id, TEXT)));
      assert.deepEqual([status, body.id, body.result.text === TEXT], [200, 7, true]);
    }
  });

  it("are refused when they are not MCP, or when the stream ends without a result", async () => {
    const broken = await call((id) => ({ status: 200, body: result(id, TEXT).slice(0, -1) }));
    assert.match(broken.body.error.message, /is not MCP/);
    const { text } = await call((_, token) => events(progress(token, TEXT)));
    assert.match(text, /ended its response before the result/);
  });

  it("can be requests, batches included", async () => {
    upstream.behave = () => "json";
    const text = callText({ era: "legacy", id: "7", tool: "big__echo", arguments: `{"text":"${TEXT}"}` });
    const one = await service.mcp(bot.credential, text);
    assert.equal(one.body.result.structuredContent.text, TEXT);
    const version = { "mcp-protocol-version": "2025-03-26" };
    const batch = await service.mcp(bot.credential, `[${text},${text.replace('"id":7', '"id":8')}]`, version);
    assert.deepEqual(
      batch.body.map(({ id }: { id: number }) => id),
      [7, 8],
    );
    const broken = await service.mcp(bot.credential, text.slice(0, -1));
    assert.deepEqual([broken.status, broken.body.error.code], [400, -32700]);
  });
});
