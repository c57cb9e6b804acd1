import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { type Browser, signedInAs } from "#test/browser";
import { forEachDatabase } from "#test/databases";
import { McpClient } from "#test/mcp-client";
import { type Service, startService } from "#test/start-service";

const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

/** Requests alternate between two processes that share only the database. */
forEachDatabase("people's MCP clients at two replicas", (open) => {
  let replicas: [Service, Service];
  let balanced: Service;
  let ada: Browser;
  before(async () => {
    const database = await open();
    replicas = [await startService(database), await startService(database)];
    let turn = 0;
    balanced = {
      ...replicas[0],
      http: (path, call) => (turn++ % 2 === 0 ? replicas[0] : replicas[1]).http(path, call),
    };
    ada = await signedInAs(balanced, "member", "ada@example.com");
  });
  after(async () => {
    for (const replica of replicas ?? []) await replica.close();
  });
  const works = async (token: string) => {
    const statuses = await Promise.all(replicas.map(async (each) => (await each.mcp(token, PING)).status));
    return statuses.map((status) => status === 200);
  };
  const end = async (token: string) => {
    while ((await works(token)).includes(true));
  };

  it("can connect, refresh, and call at any replica", async () => {
    const client = new McpClient(balanced);
    const tokens = await client.connect(ada);
    assert.deepEqual(await works(tokens.access_token), [true, true]);
    const renewed = (await client.refresh(tokens.refresh_token)).body;
    assert.deepEqual(await works(renewed.access_token), [true, true]);
    assert.equal((await client.post("/oauth/revoke", { token: renewed.refresh_token })).status, 200);
    await end(renewed.access_token);
    await end(tokens.access_token);
  });

  it("lose access at all replicas when the user is disabled at one (AUTH-7)", async () => {
    const tokens = await new McpClient(balanced).connect(ada);
    assert.deepEqual(await works(tokens.access_token), [true, true]);
    const disabled = await replicas[0].api("PATCH", "/api/users?email=ada@example.com", { disabled: true });
    assert.equal(disabled.status, 200, disabled.text);
    await end(tokens.access_token);
  });
});
