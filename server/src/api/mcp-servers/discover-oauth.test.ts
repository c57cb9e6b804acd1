import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { bearer, onSqliteApi } from "#test/api";
import { createServer } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { startService } from "#test/start-service";

const CALLBACK = "http://127.0.0.1:8080/oauth/callback";
const oauth = { auth_settings: { authType: "proxy-oauth" } };

onSqliteApi("POST /api/mcp-servers/{slug}/discover-oauth (Spec 4.6)", (api, dialect) => {
  let customer: Customer;
  let slug: string;
  before(async () => {
    customer = await startCustomer();
  });
  beforeEach(async () => {
    Object.assign(customer.behaviour, (await soundBehaviour()) satisfies Partial<Customer["behaviour"]>);
    customer.seen.length = 0;
    slug = await createServer(api.service, "Customer", customer.url, oauth);
  });
  after(() => customer.close());
  const soundBehaviour = async () => {
    const same = (sound: Record<string, unknown>): unknown => sound;
    return { metadata: same, registration: same };
  };
  const discover = () => api.call("POST", `/api/mcp-servers/${slug}/discover-oauth`);
  const detail = async () => (await api.call("GET", `/api/mcp-servers/${slug}`)).body.data;
  const withoutRegistration = () => {
    customer.behaviour.metadata = ({ registration_endpoint: _none, ...rest }) => rest;
  };

  describe("200", () => {
    it("registers a new client with register_again, and keeps the old one if that fails", async () => {
      const again = () => api.call("POST", `/api/mcp-servers/${slug}/discover-oauth?register_again=true`);
      const clients = async () =>
        (await api.db.selectFrom("oauth_clients").select("client_id").execute()).map(({ client_id }) => client_id);
      await discover();
      const before = await clients();
      customer.behaviour.registration = () => ({});
      assert.equal((await again()).status, 400);
      assert.deepEqual(await clients(), before);
      customer.behaviour.registration = (sound) => sound;
      assert.equal((await again()).status, 200);
      const after = await clients();
      assert.deepEqual([after.length, after.some((id) => before.includes(id))], [before.length, before.length > 1]);
      await discover();
      assert.deepEqual(await clients(), after);
    });

    it("registers with every member of row 2 and returns each step", async () => {
      assert.equal((await detail()).needs_setup, true);
      const answer = await discover();
      assert.equal(answer.status, 200, answer.text);
      const { steps, ...data } = answer.body.data;
      assert.deepEqual(data, {
        slug,
        needs_setup: false,
        advice: null,
        issuer: customer.origin,
        authUrl: `${customer.origin}/authorize`,
        tokenUrl: `${customer.origin}/token`,
        registrationUrl: `${customer.origin}/register`,
        resource: customer.url,
        scopes: [],
        client: "registered",
        oauth_change: null,
        shared_with: [],
      });
      assert.deepEqual(customer.to("/register")[0]?.fields, {
        redirect_uris: [`${CALLBACK}/${(await detail()).id}`],
        token_endpoint_auth_method: "client_secret_post",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        client_name: "Gatehouse (Test): Customer",
        application_type: "native",
      });
      assert.deepEqual(steps.at(-1).asked, `POST ${customer.origin}/register`);
      assert.ok(!answer.text.includes("secret-of-"));
      assert.equal((await detail()).needs_setup, false);
    });

    it("registers once for repeated and concurrent requests, also across two replicas (OA-10)", async () => {
      const replica = await startService(api.database);
      const admin = bearer(api.service.token);
      const path = `/api/mcp-servers/${slug}/discover-oauth`;
      try {
        const answers = await Promise.all(
          Array.from({ length: 100 }, (_, n) => (n % 2 ? api.service : replica).api("POST", path, undefined, admin)),
        );
        assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200]);
        assert.equal(customer.to("/register").length, 1);
      } finally {
        await replica.close();
      }
    });

    it("registers a new client when the client secret has expired or the authorization server has changed", async () => {
      customer.behaviour.registration = (sound) => ({ ...sound, client_secret_expires_at: 1 });
      await discover();
      await discover();
      assert.equal(customer.to("/register").length, 2);
      customer.behaviour.registration = (sound) => sound;
      await discover();
      customer.behaviour.metadata = (sound) => ({ ...sound, token_endpoint: `${customer.origin}/token2` });
      await discover();
      assert.equal(customer.to("/register").length, 4);
    });

    it("does not register if the settings have a client ID, and returns advice if registration is impossible (D32)", async () => {
      withoutRegistration();
      const { data } = (await discover()).body;
      assert.deepEqual([data.client, data.needs_setup, data.registrationUrl], ["missing", true, null]);
      assert.match(data.advice, /enter a client id under the advanced settings of Proxy OAuth/);
      await api.call("PATCH", `/api/mcp-servers?slug=${slug}`, { auth_settings: { clientId: "mine" } });
      const after = (await discover()).body.data;
      assert.deepEqual([after.client, after.needs_setup, after.advice], ["settings", false, null]);
      assert.equal(customer.to("/register").length, 0);
    });

    it("audits the registration once without its secret, and deletes it when the server URL changes", async () => {
      const rows = await api.auditOf(async () => {
        await discover();
        await discover();
      });
      assert.deepEqual(
        rows.map((row) => [row.operation, row.target_name]),
        [["discoverOAuth", slug]],
      );
      assert.ok(!JSON.stringify(rows).includes("secret-of-"));
      assert.ok(!JSON.stringify(await api.everything()).includes("secret-of-"));
      const mcp_proxy = JSON.stringify({ type: "http", url: `${customer.origin}/other` });
      await api.call("PATCH", `/api/mcp-servers?slug=${slug}`, { mcp_proxy });
      assert.equal((await detail()).needs_setup, true);
    });
  });

  describe("400", () => {
    const failed = async (reason: string) => {
      const { status, body } = await discover();
      assert.deepEqual([status, body.error], [400, `OAuth Discovery Failed: ${reason}`]);
      assert.equal(body.steps.at(-1).concluded, reason);
      assert.deepEqual(Object.keys(body.steps[0]), ["asked", "answered", "concluded"]);
    };

    it("reports missing redirect_uris with the message of the contract", async () => {
      customer.behaviour.registration = ({ redirect_uris: _gone, ...rest }) => rest;
      await failed("redirect_uris: expected array, received undefined");
      customer.behaviour.registration = (sound) => ({ ...sound, redirect_uris: CALLBACK });
      await failed("redirect_uris: expected array, received string");
      assert.equal((await detail()).needs_setup, true);
    });

    it("reports a rejected registration with the sanitized message of the server", async () => {
      const { instead } = customer.behaviour;
      instead["/register"] = (response) => {
        response.writeHead(400, { "content-type": "application/json" });
        response.end(JSON.stringify({ error: "invalid_redirect_uri", error_description: "not\n\u0007this" }));
      };
      await failed("registration failed with HTTP 400: invalid_redirect_uri not this");
      delete instead["/register"];
    });

    it("rejects a server without OAuth or without an upstream", async () => {
      await createServer(api.service, "Open", customer.url);
      const path = (name: string) => `/api/mcp-servers/${name}/discover-oauth`;
      await api.expect(400, { error: "MCP server does not use proxy-oauth" }, "POST", path("open"));
      const empty = await createServer(api.service, "Empty", undefined, oauth);
      await api.expect(400, { error: "MCP server has no upstream yet" }, "POST", path(empty));
    });
  });

  it(`401 · 403 · 404 (${dialect})`, async () => {
    const path = `/api/mcp-servers/${slug}/discover-oauth`;
    assert.equal((await api.service.http(path, { method: "POST" })).status, 401);
    const { token } = await api.tokenWith("admin:read");
    assert.equal((await api.call("POST", path, undefined, bearer(token))).status, 403);
    await api.expect(404, { error: "MCP server not found" }, "POST", "/api/mcp-servers/none/discover-oauth");
    assert.equal(customer.seen.length, 0);
  });
});
