import assert from "node:assert/strict";
import { before, it } from "node:test";
import { forEachApi } from "#test/api";
import { type Browser, signedInAs } from "#test/browser";
import { CALLBACK, McpClient } from "#test/mcp-client";
import { GOOD_PASSWORD } from "#test/passwords";

const ADA = "ada@example.com";
const PING = { jsonrpc: "2.0", id: 1, method: "ping" };

forEachApi("connected clients", (api) => {
  let ada: Browser;
  let eve: Browser;
  before(async () => {
    ada = await signedInAs(api.service, "member", ADA);
    eve = await signedInAs(api.service, "admin", "eve@example.com");
  });
  const mine = async (browser: Browser) => (await browser.api("GET", "/api/me/clients")).body.data;
  const works = async (token: string) => (await api.service.mcp(token, PING)).status === 200;

  it("lists a user's clients and disconnects one immediately", async () => {
    const client = new McpClient(api.service);
    const tokens = await client.connect(ada, { resource: "http://127.0.0.1:8080/mcp" });
    const [shown, ...more] = await mine(ada);
    assert.deepEqual(
      [shown.client_id, shown.client_name, shown.redirect_uri, shown.server_slug, more.length],
      [client.clientId, "Test Client", CALLBACK, null, 0],
    );
    assert.equal(await works(tokens.access_token), true);
    const [audit] = await api.auditOf(async () => {
      const ended = await ada.api("DELETE", `/api/me/clients?id=${shown.id}`);
      assert.deepEqual([ended.status, ended.body], [200, { message: "Client disconnected successfully" }]);
    });
    assert.deepEqual([audit?.operation, audit?.actor_name], ["endMyClient", ADA]);
    assert.equal(await works(tokens.access_token), false);
    assert.equal((await client.refresh(tokens.refresh_token)).body.error, "invalid_grant");
    assert.deepEqual(await mine(ada), []);
  });

  it("does not show or disconnect clients of other users (AZ-3)", async () => {
    const tokens = await new McpClient(api.service).connect(ada);
    const [{ id }] = await mine(ada);
    assert.deepEqual(await mine(eve), []);
    const refused = await eve.api("DELETE", `/api/me/clients?id=${id}`);
    assert.deepEqual([refused.status, refused.body], [404, { error: "Client not found" }]);
    await api.expect(404, { error: "Client not found" }, "DELETE", `/api/users/clients?email=eve@example.com&id=${id}`);
    assert.equal(await works(tokens.access_token), true);
  });

  it("lets an admin list and disconnect a user's clients", async () => {
    const tokens = await new McpClient(api.service).connect(ada, { resource: "http://127.0.0.1:8080/mcp/wiki" });
    const [shown] = (await api.call("GET", "/api/users/clients?email=ADA@example.com")).body.data;
    assert.equal(shown.server_slug, "wiki");
    await api.expect(
      200,
      { message: "Client disconnected successfully" },
      "DELETE",
      `/api/users/clients?email=${ADA}&id=${shown.id}`,
    );
    assert.equal((await new McpClient(api.service).refresh(tokens.refresh_token)).status, 400);
    await api.expect(
      404,
      { error: "User not found: no@example.com" },
      "GET",
      "/api/users/clients?email=no@example.com",
    );
    await api.expect(
      404,
      { error: "User not found: no@example.com" },
      "DELETE",
      "/api/users/clients?email=no@example.com&id=x",
    );
  });

  it("disconnects all clients after a password change or sign-out everywhere, but not after sign-out of one browser", async () => {
    const password = `${GOOD_PASSWORD} again`;
    const connected = async () => (await new McpClient(api.service).connect(ada)).access_token;
    const one = await connected();
    const [{ id }] = (await ada.api("GET", "/api/me/sessions")).body.data;
    assert.equal((await ada.api("DELETE", `/api/me/sessions?id=${id}`)).status, 200);
    assert.equal(await works(one), true);
    await ada.signIn(ADA);
    const [audit] = await api.auditOf(async () => {
      const changed = { current_password: GOOD_PASSWORD, new_password: password };
      assert.equal((await ada.api("POST", "/api/me/password", changed)).status, 200);
    });
    assert.deepEqual(
      [audit?.operation, audit?.after],
      ["changeMyPassword", { ended_web_sessions: 0, ended_clients: 2 }],
    );
    assert.equal(await works(one), false);
    const other = await connected();
    assert.equal((await api.call("DELETE", `/api/users/sessions?email=${ADA}`)).status, 200);
    assert.equal(await works(other), false);
    await ada.signIn(ADA, password);
  });

  it("lets only an owner disconnect an owner's client", async () => {
    const owner = await signedInAs(api.service, "owner", "olga@example.com");
    const { access_token } = await new McpClient(api.service).connect(owner);
    const [{ id }] = await mine(owner);
    assert.equal((await eve.api("DELETE", `/api/users/clients?email=olga@example.com&id=${id}`)).status, 403);
    assert.equal(await works(access_token), true);
    assert.equal((await owner.api("DELETE", `/api/users/clients?email=olga@example.com&id=${id}`)).status, 200);
    assert.equal(await works(access_token), false);
  });

  it("disconnects all clients of a disabled user permanently and deletes those of a deleted user", async () => {
    const [one, other] = [await new McpClient(api.service).connect(ada), await new McpClient(api.service).connect(ada)];
    await api.call("PATCH", `/api/users?email=${ADA}`, { disabled: true });
    await api.call("PATCH", `/api/users?email=${ADA}`, { disabled: false });
    for (const { access_token } of [one, other]) assert.equal(await works(access_token), false);
    assert.deepEqual((await api.call("GET", `/api/users/clients?email=${ADA}`)).body.data, []);
    const grace = await signedInAs(api.service, "member", "grace@example.com");
    const { access_token } = await new McpClient(api.service).connect(grace);
    assert.equal(await works(access_token), true);
    assert.equal((await api.call("DELETE", "/api/users?email=grace@example.com")).status, 200);
    assert.equal(await works(access_token), false);
    for (const table of ["oauth_grants", "credentials"] as const) {
      const rows = await api.db.selectFrom(table).select("user_id").execute();
      assert.deepEqual(rows, [], table);
    }
  });
});
