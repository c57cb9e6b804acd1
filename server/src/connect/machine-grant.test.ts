import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { type ConnectSetup, openConnectSetup, USER } from "#test/oauth/connect-setup";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { TokenUnavailable } from "./token-endpoint.ts";

const OWN = { clientId: "by-hand-1", clientSecret: "secret-of-by-hand-1" };

forEachDatabase("a machine user with client credentials (D24)", (open) => {
  const clock = testClock();
  let context: ConnectSetup;
  let customer: Customer;
  let sound: Customer["behaviour"];
  let n = 0;
  let id: string;
  before(async () => {
    context = await openConnectSetup(await open(), clock);
    customer = await startCustomer();
    sound = { ...customer.behaviour };
  });
  beforeEach(async () => {
    Object.assign(customer.behaviour, sound, { instead: {} });
    id = `srv_${++n}`;
    await context.addServer(id, customer);
    await give({ ...OWN, tokenUrl: `${customer.origin}/token` });
    customer.seen.length = 0;
  });
  after(async () => {
    await customer.close();
    context.close();
  });
  const give = async (credentials: object | undefined) => {
    const place = { table: "users", row: USER, column: "sealed_client_credentials" };
    const sealed = credentials ? context.vault.seal("client-credentials", place, JSON.stringify(credentials)) : null;
    await context.db.updateTable("users").set({ sealed_client_credentials: sealed }).where("id", "=", USER).execute();
  };
  const grants = () => customer.to("/token").map(({ fields }) => [fields.grant_type, fields.resource]);

  it("is connected once for the server's resource, for concurrent callers on two replicas", async () => {
    const replicas = [context.replica(), context.replica()];
    // The test clock is advanced until all requests are done: slowly, so that no lease ends on a slow machine.
    const all = Promise.all(Array.from({ length: 20 }, (_, i) => replicas[i % 2]?.grant(USER, id)));
    const moving = setInterval(() => clock.advance(3), 1);
    assert.deepEqual(new Set(await all.finally(() => clearInterval(moving))), new Set(["granted"]));
    assert.deepEqual(grants(), [["client_credentials", customer.url]]);
    const made = await context.connection(id);
    assert.ok(made && customer.goodTokens().includes(made.secret.accessToken));
    assert.deepEqual(
      [made.state, made.secret.clientSource, made.secret.refreshToken],
      ["connected", "machine", undefined],
    );
    assert.ok(made.expires_at !== null && made.expires_at > clock.now());
    assert.doesNotMatch(
      JSON.stringify(await context.db.selectFrom("audit").selectAll().execute()),
      /secret-of|access-/,
    );
  });

  it("gets the next token under the same grant", async () => {
    await context.connect.grant(USER, id);
    const before = await context.connection(id);
    assert.ok(before);
    await context.connect.renew(before);
    const after = await context.connection(id);
    assert.ok(after && after.secret.accessToken !== before.secret.accessToken);
    assert.deepEqual([after.version, after.connected_at], [before.version + 1, before.connected_at]);
    assert.deepEqual(grants()[1], ["client_credentials", customer.url]);
  });

  it("loses the connection when the credentials are rejected, and gets it back when they are accepted", async () => {
    await context.connect.grant(USER, id);
    await give({ ...OWN, clientSecret: "wrong", tokenUrl: `${customer.origin}/token` });
    const before = await context.connection(id);
    assert.ok(before);
    await context.connect.renew(before);
    const ended = await context.connection(id);
    assert.equal(ended?.state, "reconnect_needed");
    assert.match(ended?.last_error ?? "", /invalid_client/);
    assert.equal(await context.connect.grant(USER, id), "refused");
    await give({ ...OWN, tokenUrl: `${customer.origin}/token` });
    assert.equal(await context.connect.grant(USER, id), "granted");
    assert.equal((await context.connection(id))?.state, "connected");
  });

  it("never sends the secret for a server whose tokens come from another origin", async () => {
    const other = await startCustomer();
    try {
      await give({ ...OWN, tokenUrl: `${other.origin}/token` });
      assert.equal(await context.connect.grant(USER, id), "refused");
      customer.behaviour.metadata = (whole) => ({ ...whole, token_endpoint: `${other.origin}/elsewhere` });
      const moved = `${id}-moved`;
      await context.addServer(moved, customer);
      await context.connect.grant(USER, moved);
      assert.deepEqual([customer.to("/token").length, other.to("/token").length], [0, 1]);
      assert.equal(other.to("/token")[0]?.fields.resource, customer.url);
    } finally {
      await other.close();
    }
  });

  it("sends a token of another origin only to its audience, or to a server that an admin confirmed (OA-5)", async () => {
    const other = await startCustomer();
    try {
      await give({ ...OWN, tokenUrl: `${other.origin}/token` });
      customer.behaviour.metadata = (whole) => ({ ...whole, token_endpoint: `${other.origin}/token` });
      const grant = async (name: string, auth_settings = {}) => {
        await context.addServer(`${id}-${name}`, customer, { auth_settings });
        return context.connect.grant(USER, `${id}-${name}`);
      };
      const forAudience = (aud: unknown) => {
        const claims = Buffer.from(JSON.stringify({ aud })).toString("base64url");
        other.behaviour.token = (whole) => ({ ...whole, access_token: `e30.${claims}.x` });
      };
      assert.equal(await grant("opaque"), "refused");
      assert.equal(await context.connection(`${id}-opaque`), undefined);
      forAudience("https://everything.example");
      assert.equal(await grant("for-all"), "refused");
      forAudience(["https://everything.example", customer.url]);
      assert.equal(await grant("named"), "granted");
      forAudience(undefined);
      assert.equal(await grant("vouched", { tokenUrl: `${other.origin}/token` }), "granted");
    } finally {
      await other.close();
    }
  });

  it("is not connected without credentials or to an undiscoverable server, and rejects an unknown outcome", async () => {
    customer.behaviour.instead["/token"] = (response) => void response.writeHead(503).end();
    await assert.rejects(context.connect.grant(USER, id), TokenUnavailable);
    await context.addServer(`${id}-dead`, { url: "http://127.0.0.1:1/mcp" });
    assert.equal(await context.connect.grant(USER, `${id}-dead`), "refused");
    await context.addServer(`${id}-open`, customer, { auth_type: "none" });
    assert.equal(await context.connect.grant(USER, `${id}-open`), "refused");
    await give(undefined);
    assert.equal(await context.connect.grant(USER, id), "impossible");
    assert.equal(await context.connection(id), undefined);
  });
});
