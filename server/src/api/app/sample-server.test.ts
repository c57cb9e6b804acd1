import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createSyncedServer } from "#test/factories";
import { type OwnService, startService } from "#test/start-service";
import { isOnThisMachine, SAMPLE_PATH } from "./sample-server.ts";

describe("the sample server", () => {
  let database: TestDatabase;
  let service: OwnService;
  before(async () => {
    database = await openTestSqlite();
    service = await startService(database);
  });
  after(async () => {
    await service?.close();
    await database?.close();
  });

  const call = (name: string, args: object) => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: `sample__${name}`, arguments: args },
  });

  it("can be added by URL like any other, and its tools can be called through the gateway", async () => {
    await createSyncedServer(service, "Sample", `${service.url}${SAMPLE_PATH}`);
    const bot = await createMachineUser(service, "bot");
    await createGroup(service, "All", { slugs: ["sample"], emails: [bot.email] });
    const said = async (name: string, args: object) =>
      (await service.mcp(bot.credential, call(name, args))).body.result.content[0].text;
    assert.equal(await said("echo", { text: "grüß dich" }), "grüß dich");
    assert.equal(await said("add", { a: 2, b: 40 }), "42");
    const wrong = await service.mcp(bot.credential, call("add", { a: "2" }));
    assert.equal(wrong.body.error.code, -32602);
  });

  it("rejects malformed requests", async () => {
    const post = (body: string) =>
      service.http(SAMPLE_PATH, { method: "POST", headers: { "content-type": "application/json" }, body });
    assert.equal((await post("{")).body.error.code, -32700);
    assert.equal((await post('{"id":1,"method":"resources/list"}')).body.error.code, -32601);
    assert.equal((await post('{"method":"notifications/initialized"}')).status, 202);
    assert.equal((await post(`"${"x".repeat(70_000)}"`)).status, 413);
  });

  it("is served only when BASE_URL is on this machine", () => {
    for (const url of ["http://127.0.0.1:8080", "http://localhost", "http://[::1]:1"]) assert.ok(isOnThisMachine(url));
    for (const url of ["https://gatehouse.example.com", "http://10.0.0.1", "http://localhost.example.com"])
      assert.ok(!isOnThisMachine(url));
  });
});
