import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer } from "#test/factories";
import { callText, eraHeaders, listText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type EchoServer, startEchoServer } from "./echo-server.ts";

describe("the example server, through the gateway", () => {
  let example: EchoServer;
  let database: TestDatabase;
  let service: Service;
  let credential: string;

  before(async () => {
    example = await startEchoServer(0);
    database = await openTestSqlite();
    service = await startService(database);
    const slug = await createSyncedServer(service, "Echo", example.url);
    const bot = await createMachineUser(service, "Bot");
    await createGroup(service, "Engineering", { slugs: [slug], emails: [bot.email] });
    credential = bot.credential;
  });

  after(async () => {
    await service?.close();
    await database?.close();
    await example?.close();
  });

  for (const era of ["modern", "legacy"] as const) {
    it(`lists its tools to a ${era} caller`, async () => {
      const { body } = await service.mcp(credential, listText(era), eraHeaders(era, "tools/list"));
      const names = body.result.tools.map((tool: { name: string }) => tool.name);
      assert.deepEqual(names, ["echo__echo", "echo__add"]);
    });

    it(`answers the calls of a ${era} caller`, async () => {
      const call = (tool: string, args: string) =>
        service.mcp(credential, callText({ era, id: "1", tool, arguments: args }), eraHeaders(era, "tools/call", tool));
      const echoed = await call("echo__echo", '{"text":"hello"}');
      assert.deepEqual(echoed.body.result.content, [{ type: "text", text: "hello" }]);
      const added = await call("echo__add", '{"a":2,"b":3}');
      assert.deepEqual(added.body.result.content, [{ type: "text", text: "5" }]);
    });
  }
});
