import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer, type MachineUser } from "#test/factories";
import { callText } from "#test/mcp-messages";
import { type Service, startService } from "#test/start-service";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

/** Behavior does not depend on the database, so one is enough. */
describe("the log of denied calls", () => {
  let database: TestDatabase;
  let service: Service;
  let bot: MachineUser;
  let upstream: RawUpstream;

  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
    bot = await createMachineUser(service, "bot");
    upstream = await startRawUpstream();
    await createSyncedServer(service, "mine", upstream.url);
    await createSyncedServer(service, "theirs", upstream.url);
    await createGroup(service, "bots", { slugs: ["mine"], emails: [bot.email] });
  });
  after(async () => {
    await service?.close();
    await upstream?.close();
    await database?.close();
  });

  for (const { what, path = "/mcp", tool, server, logged } of [
    {
      what: "a tool of a server that the caller cannot access",
      tool: "theirs__echo",
      server: "theirs",
      logged: "echo",
    },
    { what: "an unknown tool of an accessible server", tool: "mine__nothing", server: "mine", logged: "nothing" },
    { what: "an unknown tool at the URL of a server", path: "/mcp/mine", tool: "a__b", server: "mine", logged: "a__b" },
    { what: "a tool of an unknown server", tool: "nobody__echo", server: null, logged: "nobody__echo" },
  ]) {
    it(`names server and tool for ${what}, and the caller sees no difference`, async () => {
      const answer = await service.http(path, {
        method: "POST",
        headers: { authorization: `Bearer ${bot.credential}`, "content-type": "application/json" },
        body: callText({ era: "legacy", id: "1", tool, arguments: "{}" }),
      });
      assert.deepEqual(answer.body.error, { code: -32602, message: `Unknown tool: ${tool}` });
      const [record] = (await service.api("GET", "/api/logs?limit=1&kind=calls")).body.data;
      assert.deepEqual([record.outcome, record.server_slug ?? null, record.tool], ["denied", server, logged]);
    });
  }
});
