import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { forEachApi } from "#test/api";
import { type Browser, signedInAs } from "#test/browser";
import { createSyncedServer } from "#test/factories";
import { McpClient } from "#test/mcp-client";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const BASE = "http://127.0.0.1:8080";

forEachApi("consent for one server (AZ-7)", (api) => {
  let upstream: RawUpstream;
  let ada: Browser;
  before(async () => {
    upstream = await startRawUpstream();
    ada = await signedInAs(api.service, "member", "ada@example.com");
  });
  after(() => upstream?.close());

  const list = (token: string, target: string) =>
    api.service.http(target, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });

  it("gives no access to another server that gets the slug", async () => {
    const [client, resource] = [new McpClient(api.service), `${BASE}/mcp/passing`];
    const createPassing = () => createSyncedServer(api.service, "Passing", upstream.url);
    await createPassing();
    const tokens = await client.connect(ada, { resource });
    assert.equal((await list(tokens.access_token, "/mcp/passing")).status, 200);
    await api.call("DELETE", "/api/mcp-servers?slug=passing");
    assert.equal((await list(tokens.access_token, "/mcp/passing")).status, 401);
    await createPassing();
    assert.equal((await list(tokens.access_token, "/mcp/passing")).status, 401);
    assert.equal((await client.refresh(tokens.refresh_token, { resource })).body.error, "invalid_grant");
    const again = await client.connect(ada, { resource });
    assert.equal((await list(again.access_token, "/mcp/passing")).status, 200);
    await api.call("DELETE", "/api/mcp-servers?slug=passing");
  });

  it("follows a renamed server neither to its new URL nor to a new server at the old one", async () => {
    const [client, resource] = [new McpClient(api.service), `${BASE}/mcp/former`];
    await createSyncedServer(api.service, "Former", upstream.url);
    const tokens = await client.connect(ada, { resource });
    await api.call("PATCH", "/api/mcp-servers?slug=former", { slug: "renamed" });
    for (const target of ["/mcp/former", "/mcp/renamed"]) {
      assert.equal((await list(tokens.access_token, target)).status, 401, target);
    }
    await createSyncedServer(api.service, "Former", upstream.url);
    assert.equal((await list(tokens.access_token, "/mcp/former")).status, 401);
    await api.call("DELETE", "/api/mcp-servers?slug=former");
    await api.call("PATCH", "/api/mcp-servers?slug=renamed", { slug: "former" });
    assert.equal((await list(tokens.access_token, "/mcp/former")).status, 200, "its slug means the same server again");
    const renewed = await client.refresh(tokens.refresh_token, { resource });
    assert.equal((await list(renewed.body.access_token, "/mcp/former")).status, 200);
    await api.call("DELETE", "/api/mcp-servers?slug=former");
  });
});
