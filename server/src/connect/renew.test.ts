import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, beforeEach, it } from "node:test";
import { createEgress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { disturbed } from "#test/disturbed-db";
import { type ConnectSetup, openConnectSetup } from "#test/oauth/connect-setup";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { clientCredentialsToken, fitsClientCredentials } from "./client-credentials.ts";
import { LeaseTooShort } from "./run-once.ts";
import { TokenUnavailable } from "./token-endpoint.ts";

forEachDatabase("a connection's token", (open) => {
  const clock = testClock();
  let context: ConnectSetup;
  let customer: Customer;
  let sound: Customer["behaviour"];
  let n = 0;
  let id: string;
  before(async () => {
    context = await openConnectSetup(await open(), clock);
    customer = await startCustomer();
    customer.behaviour.metadata = (whole) => ({ ...whole, revocation_endpoint: `${customer.origin}/revoke` });
    sound = { ...customer.behaviour };
  });
  beforeEach(async () => {
    Object.assign(customer.behaviour, sound, { instead: {} });
    id = `srv_${++n}`;
    await context.addServer(id, customer);
    await context.connected(customer, id);
    customer.seen.length = 0;
  });
  after(async () => {
    await customer.close();
    context.close();
  });
  const present = async () => {
    const connection = await context.connection(id);
    assert.ok(connection);
    return connection;
  };

  it("is refreshed once for concurrent callers on two replicas, and the rotated refresh token is stored (OA-11)", async () => {
    const before = await present();
    const replicas = [context.replica(), context.replica()];
    // The test clock is advanced until all requests are done: slowly, so that no lease ends on a slow machine.
    const all = Promise.all(Array.from({ length: 40 }, (_, i) => replicas[i % 2]?.renew(before)));
    const moving = setInterval(() => clock.advance(3), 1);
    await all.finally(() => clearInterval(moving));
    assert.equal(customer.to("/token").length, 1);
    assert.deepEqual(
      [customer.to("/token")[0]?.fields.grant_type, customer.to("/token")[0]?.fields.resource],
      ["refresh_token", customer.url],
    );
    const after = await present();
    assert.notEqual(after.secret.accessToken, before.secret.accessToken);
    assert.notEqual(after.secret.refreshToken, before.secret.refreshToken);
    assert.deepEqual([after.version, after.state], [before.version + 1, "connected"]);
    await context.connect.renew(after);
    assert.equal((await present()).version, after.version + 1, "the kept refresh token is good");
  });

  it("is not refreshed by a replica whose lease is about to expire (OPS-11)", async () => {
    const before = await present();
    const slow = context.replica(disturbed(context.db, { beforeAnswer: () => clock.advance(8_000) }));
    await assert.rejects(slow.renew(before), LeaseTooShort);
    assert.equal(customer.to("/token").length, 0);
    await context.connect.renew(before);
    assert.deepEqual([customer.to("/token").length, (await present()).version], [1, before.version + 1]);
  });

  it("keeps its refresh token if the response has none", async () => {
    customer.behaviour.token = ({ refresh_token: _none, ...rest }) => rest;
    const before = await present();
    await context.connect.renew(before);
    assert.equal((await present()).secret.refreshToken, before.secret.refreshToken);
  });

  it("requires the user to reconnect if the server refuses the refresh", async () => {
    const before = await present();
    customer.revokeToken(before.secret.refreshToken ?? "");
    await context.connect.renew(before);
    const { state, last_error } = await present();
    assert.equal(state, "reconnect_needed");
    assert.match(last_error ?? "", /invalid_grant/);
    await context.connect.renew(before);
    assert.equal(customer.to("/token").length, 1, "it is not tried again");
  });

  it("stays unchanged if the refresh fails temporarily", async () => {
    const before = await present();
    const failures = [
      (response: ServerResponse) => void response.writeHead(503).end(),
      (response: ServerResponse) => void response.destroy(),
      (response: ServerResponse) =>
        void response.writeHead(429, { "content-type": "application/json" }).end('{"error": "slow_down"}'),
    ];
    for (const fail of failures) {
      customer.behaviour.instead["/token"] = fail;
      await assert.rejects(context.connect.renew(before), TokenUnavailable);
      assert.deepEqual(await present(), before);
    }
    customer.behaviour.instead = {};
    await context.connect.renew(before);
    assert.equal((await present()).version, before.version + 1);
  });

  it("is refreshed where it came from, whatever the server's documents say now (OA-4)", async () => {
    const other = await startCustomer();
    try {
      customer.behaviour.metadata = (whole) => ({ ...whole, token_endpoint: `${other.origin}/token` });
      await context.connect.renew(await present());
      assert.deepEqual([customer.to("/token").length, other.seen.length], [1, 0]);
    } finally {
      await other.close();
    }
  });

  it("is revoked when the user disconnects, and a failure is ignored (OA-12)", async () => {
    const connection = await present();
    await context.connect.revoke(connection);
    const { token, token_type_hint, client_secret } = customer.to("/revoke")[0]?.fields ?? {};
    assert.deepEqual([token, token_type_hint], [connection.secret.refreshToken, "refresh_token"]);
    assert.ok(client_secret);
    customer.behaviour.instead["/revoke"] = (response) => void response.writeHead(500).end();
    await context.connect.revoke(connection);
  });

  it("of a machine user is renewed with its client credentials (D24)", async () => {
    const server = { ...(await context.server(id)), upstream_url: customer.url };
    const tokenUrl = `${customer.origin}/token`;
    const credentials = { clientId: "by-hand-1", clientSecret: "secret-of-by-hand-1", tokenUrl };
    assert.equal(fitsClientCredentials(server, credentials), true);
    assert.equal(fitsClientCredentials(server, { ...credentials, tokenUrl: "https://evil.example/token" }), false);
    assert.equal(fitsClientCredentials({ ...server, auth_type: "none" }, credentials), false);
    const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
    const token = await clientCredentialsToken(egress, server, credentials);
    egress.close();
    assert.ok(customer.goodTokens().includes(token.accessToken));
    const { grant_type, resource } = customer.to("/token")[0]?.fields ?? {};
    assert.deepEqual([grant_type, resource], ["client_credentials", customer.url]);
  });
});
