import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { createPerson, createServer } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";

const oauth = { auth_settings: { authType: "proxy-oauth" } };
const WELL_KNOWN = "/.well-known/oauth-protected-resource";

forEachApi("a server that names other OAuth settings than before (OA-4)", (api, dialect) => {
  let [customer, other]: Customer[] = [];
  let slug: string;
  before(async () => {
    [customer, other] = [await startCustomer(), await startCustomer()];
  });
  beforeEach(async () => {
    assert.ok(customer && other);
    customer.behaviour.resources = {};
    slug = await createServer(api.service, "Customer", customer.url, oauth);
    assert.equal((await discover()).status, 200);
    customer.behaviour.resources[WELL_KNOWN] = { resource: customer.url, authorization_servers: [other.origin] };
  });
  after(async () => {
    await customer?.close();
    await other?.close();
  });
  const discover = () => api.call("POST", `/api/mcp-servers/${slug}/discover-oauth`);
  const detail = async () => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;
  const decide = (decision: "approve" | "keep", digest: string) =>
    api.call("POST", `/api/mcp-servers/${slug}/oauth-change/${decision}`, { digest });
  const needsAttention = async () => {
    const { data } = (await api.call("GET", "/api/mcp-servers?needs_attention=true&include_details=true")).body;
    return data.find((server: { slug: string }) => server.slug === slug)?.oauth_change_pending;
  };

  it("reports the change, and uses it once an admin approves it", async () => {
    const { body } = await discover();
    assert.deepEqual(
      [body.data.issuer, body.data.oauth_change.issuer, body.data.oauth_change.kept],
      [customer?.origin, other?.origin, false],
    );
    const { oauth, oauth_change: change } = await detail();
    assert.deepEqual([oauth.issuer, change.issuer], [customer?.origin, other?.origin]);
    assert.equal(await needsAttention(), true);
    const rows = await api.auditOf(async () => {
      const answer = await decide("approve", change.digest);
      assert.deepEqual([answer.status, answer.body.data.issuer], [200, other?.origin]);
    });
    assert.deepEqual(
      rows.map(({ operation }) => operation),
      ["approveOAuthChange"],
    );
    const now = await detail();
    assert.deepEqual([now.oauth.issuer, now.oauth_change, now.oauth_change_pending], [other?.origin, null, false]);
    assert.equal((await discover()).body.data.oauth_change, null);
  });

  it("keeps the current settings, and reports a different change again", async () => {
    await discover();
    const { oauth_change: change } = await detail();
    assert.equal((await decide("keep", change.digest)).status, 200);
    const kept = await detail();
    assert.deepEqual(
      [kept.oauth.issuer, kept.oauth_change.kept, kept.oauth_change_pending, await needsAttention()],
      [customer?.origin, true, false, undefined],
    );
    const resource = customer?.origin;
    assert.ok(customer);
    customer.behaviour.resources[WELL_KNOWN] = { resource, authorization_servers: [other?.origin] };
    await discover();
    assert.deepEqual([(await detail()).oauth_change_pending, await needsAttention()], [true, true]);
    assert.equal((await decide("approve", change.digest)).status, 409, "another change than the reviewed one");
    assert.equal((await detail()).oauth.issuer, customer.origin);
  });

  it("deletes the connections of users when a change is approved (AZ-8)", async () => {
    await discover();
    const { id, oauth_change: change } = await detail();
    await createPerson(api.service, "Ada", "ada@example.com");
    const { id: user_id } = await api.db.selectFrom("users").select("id").executeTakeFirstOrThrow();
    const times = { connected_at: 1, created_at: 1, updated_at: 1 };
    const row = { id: `con_${dialect}`, user_id, server_id: id, kind: "oauth", state: "connected" } as const;
    const rest = { sealed_credential: "x", version: 1, expires_at: null, scopes: null, needed_scopes: null };
    const none = { issuer: null, resource: null, last_error: null };
    await api.db
      .insertInto("connections")
      .values({ ...row, ...rest, ...none, ...times })
      .execute();
    await decide("approve", change.digest);
    const left = await api.db.selectFrom("connections").selectAll().where("server_id", "=", id).execute();
    assert.equal(left.length, 0);
  });

  it("forgets the pin and the change when an admin changes the URL", async () => {
    await discover();
    const upstream = { type: "http", url: `${other?.origin}/mcp` };
    await api.call("PATCH", `/api/mcp-servers?slug=${slug}`, { upstream });
    const { oauth, oauth_change: change } = await detail();
    assert.deepEqual([oauth, change], [null, null]);
  });

  it("400 · 401 · 403 · 404 · 409", async () => {
    const path = `/api/mcp-servers/${slug}/oauth-change/approve`;
    assert.equal((await api.call("POST", path, {})).status, 400);
    assert.equal((await api.service.http(path, { method: "POST" })).status, 401);
    const { token } = await api.tokenWith("admin:read");
    assert.equal((await api.call("POST", path, { digest: "x" }, bearer(token))).status, 403);
    const message = "oauth_change: the server names no other OAuth settings";
    await api.expect(409, { code: "CONFLICT", message }, "POST", path, { digest: "x" });
    const none = "/api/mcp-servers/none/oauth-change/keep";
    await api.expect(404, { error: "MCP server not found" }, "POST", none, { digest: "x" });
  });
});
