import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { type CallerEra, callText, eraHeaders } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

/** Behavior does not depend on the database, so one is enough. */
describe("upstream errors and input requests", () => {
  let database: TestDatabase;
  let service: Service;
  let upstream: RawUpstream;
  let bot: MachineUser;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    upstream = await startRawUpstream();
    await createSyncedServer(service, "Echo", upstream.url);
    bot = await createMachineUser(service, "bot");
    await createGroup(service, "bots", { slugs: ["echo"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  const statusFor = async (era: CallerEra, code: number) => {
    const data = '{"requiredCapabilities":{"sampling":{}}}';
    upstream.behave = (seen) =>
      seen.method === "tools/call"
        ? {
            status: 400,
            body: `{"jsonrpc":"2.0","id":${seen.id},"error":{"code":${code},"message":"no","data":${data}}}`,
          }
        : "json";
    const tool = "echo__echo";
    const headers = eraHeaders(era, "tools/call", tool);
    const answer = await service.mcp(bot.credential, callText({ era, id: '"a"', tool }), headers);
    assert.deepEqual(answer.body, {
      jsonrpc: "2.0",
      id: "a",
      error: { code, message: "no", data: { requiredCapabilities: { sampling: {} } } },
    });
    return answer.status;
  };

  for (const [code, status] of [
    [-32021, 400],
    [-32020, 400],
    [-32601, 404],
    [-32602, 200],
    [-32603, 200],
    [-32000, 200],
    [1, 200],
  ] as const) {
    it(`returns error ${code} as ${status} to a modern caller and as 200 to a legacy one`, async () => {
      assert.deepEqual([await statusFor("modern", code), await statusFor("legacy", code)], [status, 200]);
    });
  }

  it("replaces the URL elicitation code of 2025-11-25 for a modern caller and preserves the rest of the error", async () => {
    const data = '{"elicitations":[{"mode":"url","url":"https://files.example/grant"}]}';
    const error = `{"code":-32042,"message":"Open it first","data":${data}}`;
    upstream.behave = ({ id, method }) =>
      method === "tools/call" ? { status: 200, body: `{"jsonrpc":"2.0","id":${id},"error":${error}}` } : "json";
    const codes = (["modern", "legacy"] as const).map(async (era) => {
      const [text, headers] = [
        callText({ era, id: "1", tool: "echo__echo" }),
        eraHeaders(era, "tools/call", "echo__echo"),
      ];
      const { body } = await service.mcp(bot.credential, text, headers);
      assert.deepEqual([body.error.message, body.error.data], ["Open it first", JSON.parse(data)]);
      return body.error.code;
    });
    assert.deepEqual(await Promise.all(codes), [-32603, -32042]);
  });

  it("returns an input request as an error to a legacy caller and unchanged to a modern one", async () => {
    const result = '{"resultType":"input_required","requestState":"s"}';
    upstream.behave = ({ id, method }) =>
      method === "tools/call" ? { status: 200, body: `{"jsonrpc":"2.0","id":${id},"result":${result}}` } : "json";
    const send = async (era: CallerEra) => {
      const headers = eraHeaders(era, "tools/call", "echo__echo");
      return (await service.mcp(bot.credential, callText({ era, id: "1", tool: "echo__echo" }), headers)).body;
    };
    assert.match((await send("legacy")).error.message, /^Server "echo" requires input/);
    const { resultType, requestState, content } = (await send("modern")).result;
    assert.deepEqual([resultType, requestState, content], ["input_required", "s", undefined]);
  });

  it("returns a task as an error instead of an empty result", async () => {
    const task = '"task":{"taskId":"t1","status":"working"}';
    for (const result of [`{${task}}`, `{"resultType":"task",${task}}`]) {
      upstream.behave = ({ id, method }) =>
        method === "tools/call" ? { status: 200, body: `{"jsonrpc":"2.0","id":${id},"result":${result}}` } : "json";
      for (const era of ["modern", "legacy"] as const) {
        const headers = eraHeaders(era, "tools/call", "echo__echo");
        const { body } = await service.mcp(bot.credential, callText({ era, id: "1", tool: "echo__echo" }), headers);
        assert.match(body.error.message, /^Server "echo" started a task/);
      }
    }
  });
});
