import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { AUTHOR, BASE_URL, type ConnectSetup, openConnectSetup, USER } from "#test/oauth/connect-setup";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { ConnectRefused } from "./connect.ts";

const MINUTE_MS = 60_000;

forEachDatabase("connecting a user (Spec 4.6)", (open) => {
  const clock = testClock();
  let context: ConnectSetup;
  let customer: Customer;
  let other: Customer;
  let sound: Customer["behaviour"];
  let n = 0;
  let id: string;
  before(async () => {
    context = await openConnectSetup(await open(), clock);
    [customer, other] = [await startCustomer(), await startCustomer()];
    sound = { ...customer.behaviour };
  });
  beforeEach(async () => {
    for (const each of [customer, other]) {
      Object.assign(each.behaviour, sound, { instead: {}, resources: {} });
      each.seen.length = 0;
    }
    id = `srv_${++n}`;
    await context.addServer(id, customer);
  });
  after(async () => {
    await customer.close();
    await other.close();
    context.close();
  });

  const finish = (query: URLSearchParams, browser: string | undefined = "browser") =>
    context.connect.finish({ query, serverId: id, browser, requestId: "req_test" });
  const refused = async (query: URLSearchParams, words: RegExp, browser?: string) => {
    await assert.rejects(finish(query, browser), (error: unknown) => {
      assert.ok(error instanceof ConnectRefused, String(error));
      assert.match(error.message, words);
      return true;
    });
    assert.equal(await context.connection(id), undefined);
  };
  const callback = () => `${BASE_URL}/oauth/callback/${id}`;
  const noTokenRequest = () => assert.equal(customer.to("/token").length + other.to("/token").length, 0);

  describe("at the customer's server", () => {
    it("sends PKCE, state, and resource, exchanges the code, and stores the token", async () => {
      await context.connected(customer, id);
      const asked = customer.to("/authorize")[0]?.fields ?? {};
      assert.deepEqual(Object.keys(asked).sort(), [
        ...["client_id", "code_challenge", "code_challenge_method", "redirect_uri", "resource"],
        ...["response_type", "state"],
      ]);
      assert.deepEqual([asked.redirect_uri, asked.resource], [callback(), customer.url]);
      assert.match(String(asked.state), /^[\w-]{43}$/);
      const exchanged = customer.to("/token")[0];
      const { code, code_verifier, client_id, client_secret, ...rest } = exchanged?.fields ?? {};
      assert.deepEqual(rest, { grant_type: "authorization_code", redirect_uri: callback(), resource: customer.url });
      assert.equal(client_secret, `secret-of-${client_id}`);
      assert.ok(code && code_verifier);
      const connection = await context.connection(id);
      assert.ok(connection);
      assert.ok(customer.goodTokens().includes(connection.secret.accessToken));
      assert.deepEqual(
        [connection.state, connection.expires_at, connection.issuer, connection.resource],
        ["connected", clock.now() + 3_600_000, customer.origin, customer.url],
      );
      assert.equal(connection.secret.tokenEndpoint, `${customer.origin}/token`);
    });

    for (const method of ["client_secret_basic", "client_secret_post", "none"]) {
      it(`authenticates by ${method}`, async () => {
        customer.behaviour.metadata = (whole) => ({ ...whole, token_endpoint_auth_methods_supported: [method] });
        await context.connected(customer, id);
        assert.equal((await context.connection(id))?.state, "connected");
      });
    }

    it("uses a token without an expiry until it is rejected (D35)", async () => {
      customer.behaviour.expiresInSeconds = undefined;
      await context.connected(customer, id);
      assert.equal((await context.connection(id))?.expires_at, null);
    });

    it("requests the scopes of the settings or the challenge, and those that a call lacked", async () => {
      customer.behaviour.challenge = 'scope="read"';
      await context.signIn(customer, id);
      assert.equal(customer.to("/authorize").at(-1)?.fields.scope, "read");
      await context.addServer(`${id}-set`, customer, { auth_settings: { client: { scope: "a b" } } });
      await context.connected(customer, `${id}-set`);
      const lacking = { scopes: ["b", "given"], needed_scopes: ["c", "a"] };
      await context.db.updateTable("connections").set(lacking).where("server_id", "=", `${id}-set`).execute();
      await context.signIn(customer, `${id}-set`);
      assert.equal(customer.to("/authorize").at(-1)?.fields.scope, "a b given c");
    });

    it("uses the metadata document as the client ID if the server supports it", async () => {
      customer.behaviour.metadata = (whole) => ({ ...whole, client_id_metadata_document_supported: true });
      const flow = { user: { id: USER }, server: await context.server(id), browser: "browser" };
      const url = new URL(await context.connect.begin(flow, AUTHOR));
      assert.equal(url.searchParams.get("client_id"), `${BASE_URL}/oauth/clients/${id}.json`);
      assert.equal(customer.to("/register").length, 0);
    });

    it("stores no secret in plain text, and writes an audit entry", async () => {
      await context.connected(customer, id);
      const tables = ["connections", "oauth_flows", "oauth_clients", "audit"] as const;
      const rows = await Promise.all(tables.map((table) => context.db.selectFrom(table).selectAll().execute()));
      assert.doesNotMatch(JSON.stringify(rows), /access-\d|refresh-\d|secret-of-|code-\d/);
      const audit = await context.db.selectFrom("audit").selectAll().where("operation", "=", "connect").execute();
      assert.ok(audit.some((row) => row.target_name.endsWith(` ${id}`) && row.actor_id === USER));
    });
  });

  describe("the state (OA-1)", () => {
    const gone = /not valid in this browser/;
    const cases: [string, (query: URLSearchParams) => void][] = [
      ["missing", (query) => query.delete("state")],
      ["empty", (query) => query.set("state", "")],
      ["given twice", (query) => query.append("state", query.get("state") ?? "")],
      ["invented", (query) => query.set("state", "x".repeat(43))],
      ["longer by a letter", (query) => query.set("state", `${query.get("state")}x`)],
    ];
    for (const [name, spoil] of cases) {
      it(`rejects ${name}, and requests no token`, async () => {
        const query = await context.signIn(customer, id);
        spoil(query);
        await refused(query, gone);
        noTokenRequest();
      });
    }

    it("is rejected in another browser and without a cookie", async () => {
      await refused(await context.signIn(customer, id), gone, "another");
      const query = await context.signIn(customer, id);
      await assert.rejects(
        context.connect.finish({ query, serverId: id, browser: undefined, requestId: "r" }),
        ConnectRefused,
      );
      noTokenRequest();
    });

    it("is rejected after ten minutes", async () => {
      const query = await context.signIn(customer, id);
      clock.advance(10 * MINUTE_MS);
      await refused(query, gone);
      noTokenRequest();
    });

    it("is valid once, also for ten concurrent callbacks", async () => {
      const query = await context.signIn(customer, id);
      const all = await Promise.allSettled(Array.from({ length: 10 }, () => finish(query)));
      assert.equal(all.filter(({ status }) => status === "fulfilled").length, 1);
      assert.equal(customer.to("/token").length, 1);
    });

    it("cannot be used again after a rejected callback", async () => {
      const query = await context.signIn(customer, id);
      const denied = new URLSearchParams({ state: query.get("state") ?? "", error: "access_denied" });
      await refused(denied, /You declined access/);
      await refused(query, gone);
    });
  });

  describe("invalid responses", () => {
    it("ignores and hides a response of another issuer, and one without the promised issuer (OA-3)", async () => {
      const query = await context.signIn(customer, id);
      query.set("iss", other.origin);
      query.set("error", "shown?");
      await refused(query, /^The response came from a different authorization server\.$/);
      customer.behaviour.metadata = (whole) => ({ ...whole, authorization_response_iss_parameter_supported: true });
      await refused(await context.signIn(customer, id), /a different authorization server/);
      noTokenRequest();
      const named = await context.signIn(customer, id);
      named.set("iss", customer.origin);
      await finish(named);
    });

    it("sends a code only to the token endpoint of its flow (OA-4)", async () => {
      const query = await context.signIn(customer, id);
      customer.behaviour.metadata = (whole) => ({ ...whole, token_endpoint: `${other.origin}/token` });
      await finish(query);
      assert.deepEqual([customer.to("/token").length, other.seen.length], [1, 0]);
    });

    it("never sends a client or an admin's secret to another authorization server", async () => {
      await context.connected(customer, id);
      const entered = { clientId: "by-hand" };
      const place = { table: "mcp_servers", row: `${id}-set`, column: "sealed_client_secret" };
      const sealed_client_secret = context.vault.seal("server-secret", place, "secret-of-by-hand");
      await context.addServer(`${id}-set`, customer, { auth_settings: entered, sealed_client_secret });
      const begin = async (server: string) =>
        context.connect.begin({ user: { id: USER }, server: await context.server(server), browser: "b" }, AUTHOR);
      await begin(`${id}-set`);
      customer.behaviour.resources["/.well-known/oauth-protected-resource"] = {
        resource: customer.url,
        authorization_servers: [other.origin],
      };
      for (const server of [id, `${id}-set`]) assert.equal(new URL(await begin(server)).origin, customer.origin);
      assert.equal(other.to("/register").length, 0);
      assert.doesNotMatch(JSON.stringify(other.seen), /by-hand/);
    });

    it("shows the server's message on one line, truncated", async () => {
      const state = (await context.signIn(customer, id)).get("state") ?? "";
      const query = new URLSearchParams({
        state,
        error: "server_error",
        error_description: `a\n\u0000${"b".repeat(900)}`,
      });
      await refused(query, /^The server rejected the sign-in: server_error a b{200,300}…$/);
    });

    const answers: [string, unknown, RegExp][] = [
      ["no access token", { access_token: undefined }, /access_token: must be a string/],
      ["another type of token", { token_type: "mac" }, /token_type: must be Bearer/],
      ["no type of token", { token_type: undefined }, /token_type: must be a string/],
      ["a token that splits a header", { access_token: "a\r\nx: y" }, /access_token: must be visible/],
      ["a refusal with 200", { error: "bad_verification_code" }, /bad_verification_code/],
    ];
    for (const [name, changes, words] of answers) {
      it(`rejects a token response with ${name}`, async () => {
        customer.behaviour.token = (whole) => ({ ...whole, ...(changes as object) });
        await refused(await context.signIn(customer, id), words);
      });
    }

    it("connects nothing if the token endpoint redirects, fails, or sends a megabyte", async () => {
      const elsewhere = { location: `${other.origin}/token` };
      customer.behaviour.instead["/token"] = (response) => void response.writeHead(307, elsewhere).end();
      await refused(await context.signIn(customer, id), /answered HTTP 307/);
      assert.equal(other.seen.length, 0);
      customer.behaviour.instead["/token"] = (response) => void response.writeHead(503).end();
      await refused(await context.signIn(customer, id), /answered HTTP 503\. Try again later/);
      customer.behaviour.instead["/token"] = (response) => void response.end("x".repeat(1024 * 1024));
      await refused(await context.signIn(customer, id), /more than the 65536 bytes/);
    });

    it("rejects the callback if the server moved or the user was disabled meanwhile", async () => {
      const moved = await context.signIn(customer, id);
      await context.db.updateTable("mcp_servers").set({ upstream_url: other.url }).where("id", "=", id).execute();
      await refused(moved, /settings changed during the sign-in/);
      await context.db.updateTable("mcp_servers").set({ upstream_url: customer.url }).where("id", "=", id).execute();
      const disabled = await context.signIn(customer, id);
      await context.db.updateTable("users").set({ disabled: true }).execute();
      await refused(disabled, /settings changed during the sign-in/);
      await context.db.updateTable("users").set({ disabled: false }).execute();
      const set = await context.signIn(customer, id);
      await context.db.updateTable("mcp_servers").set({ discovered_oauth: null }).where("id", "=", id).execute();
      await refused(set, /settings changed during the sign-in/);
      noTokenRequest();
    });

    it("stores nothing if the account is reset during the request (decision 0056)", async () => {
      const query = await context.signIn(customer, id);
      customer.behaviour.instead["/token"] = async (response) => {
        const made = { created_by: "usr_x", creator_name: null, resets_account: true, required_all: true };
        const times = { created_at: 0, expires_at: 0, accepted_at: clock.now() + 1 };
        const row = { user_id: USER, token_hash: "hash", responsible_id: null, ...made, ...times };
        await context.db.insertInto("invitations").values(row).execute();
        const token = { access_token: "canary", token_type: "Bearer" };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(token));
      };
      await refused(query, /not valid in this browser/);
      await context.db.deleteFrom("invitations").execute();
    });

    it("never sends the token to the new URL of a server that moves during the request (AZ-8)", async () => {
      const query = await context.signIn(customer, id);
      customer.behaviour.instead["/token"] = async (response) => {
        await context.db.updateTable("mcp_servers").set({ upstream_url: other.url }).where("id", "=", id).execute();
        const token = { access_token: "canary", token_type: "Bearer" };
        response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(token));
      };
      await refused(query, /settings changed during the sign-in/);
    });
  });
});
