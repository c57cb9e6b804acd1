import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { testClock } from "#test/clock";
import { openTestSqlite, type TestDatabase } from "#test/databases";
import { type Certified, startCertified } from "#test/oauth/certified";
import { AUTHOR, type ConnectSetup, openConnectSetup, USER } from "#test/oauth/connect-setup";

describe("a certified authorization server on another origin", () => {
  let database: TestDatabase;
  let context: ConnectSetup;
  let certified: Certified;
  before(async () => {
    database = await openTestSqlite();
    context = await openConnectSetup(database, testClock());
    certified = await startCertified();
    await context.addServer("srv_1", certified);
  });
  after(async () => {
    await certified.close();
    context.close();
    await database.close();
  });

  it("registers the client, signs the user in for the server's resource, renews, and revokes", async () => {
    const flow = { user: { id: USER }, server: await context.server("srv_1"), browser: "browser" };
    const url = await context.connect.begin(flow, AUTHOR);
    const asked = new URL(url).searchParams;
    assert.deepEqual([asked.get("scope"), asked.get("resource")], ["tools:call offline_access", certified.url]);
    const query = new URL(await certified.agree(url)).searchParams;
    assert.equal(query.get("iss"), certified.issuer);
    await context.connect.finish({ query, serverId: "srv_1", browser: "browser", requestId: "req_test" });
    const connection = await context.connection("srv_1");
    assert.ok(connection?.secret.refreshToken);
    assert.deepEqual([connection.issuer, connection.resource], [certified.issuer, certified.url]);

    await context.connect.renew(connection);
    const renewed = await context.connection("srv_1");
    assert.ok(renewed);
    assert.notEqual(renewed.secret.accessToken, connection.secret.accessToken);
    assert.notEqual(renewed.secret.refreshToken, connection.secret.refreshToken);

    await context.connect.revoke(renewed);
    await context.connect.renew(renewed);
    assert.equal((await context.connection("srv_1"))?.state, "reconnect_needed");
  });
});
