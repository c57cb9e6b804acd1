import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { systemClock } from "#lib/clock";
import { forEachDatabase } from "#test/databases";
import { userRow } from "#test/example-replica";
import { AUTHOR, type ConnectSetup, openConnectSetup } from "#test/oauth/connect-setup";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { ConnectRefused } from "./connect.ts";

const USERS = Array.from({ length: 10 }, (_, n) => `usr_of_ten_${n}`);

forEachDatabase("an authorization server that no longer recognizes our client", (open) => {
  let context: ConnectSetup;
  let customer: Customer;
  let n = 0;
  let id: string;
  before(async () => {
    context = await openConnectSetup(await open(), systemClock);
    await context.db.insertInto("users").values(USERS.map(userRow)).execute();
    customer = await startCustomer();
  });
  beforeEach(async () => {
    id = `srv_${++n}`;
    await context.addServer(id, customer);
    customer.seen.length = 0;
  });
  after(async () => {
    await customer.close();
    context.close();
  });

  const begin = async (userId: string) => {
    const flow = { user: { id: userId }, server: await context.server(id), browser: userId };
    return context.connect.begin(flow, AUTHOR);
  };
  const finish = (userId: string, query: URLSearchParams) =>
    context.connect.finish({ query, serverId: id, browser: userId, requestId: "req_test" });
  const agree = async (url: string) => new URL(await customer.agree(url)).searchParams;

  it("restarts all sign-ins once under one new registration after an error of the token endpoint", async () => {
    const left = await Promise.all(USERS.map(async (user) => [user, await agree(await begin(user))] as const));
    assert.equal(customer.to("/register").length, 1);
    customer.forgetClients();
    const clients = await Promise.all(
      left.map(async ([user, query]) => {
        const sent = await finish(user, query);
        assert.ok(sent.outcome === "again");
        assert.equal((await finish(user, await agree(sent.url))).outcome, "connected");
        return new URL(sent.url).searchParams.get("client_id");
      }),
    );
    assert.deepEqual([customer.to("/register").length, new Set(clients).size], [2, 1]);
  });

  it("restarts the sign-in once after an error of the sign-in page", async () => {
    const [user = ""] = USERS;
    const back = (url: string) => {
      const state = new URL(url).searchParams.get("state") ?? "";
      return new URLSearchParams({ state, error: "unauthorized_client" });
    };
    const sent = await finish(user, back(await begin(user)));
    assert.ok(sent.outcome === "again");
    await assert.rejects(finish(user, back(sent.url)), ConnectRefused);
    assert.equal(customer.to("/register").length, 2);
  });

  it("reports a failed registration, and does not restart for a client that an admin entered", async () => {
    const [user = ""] = USERS;
    const query = await agree(await begin(user));
    customer.forgetClients();
    customer.behaviour.instead["/register"] = (response) => void response.writeHead(403).end();
    await assert.rejects(finish(user, query), /registering again failed: registration failed with HTTP 403/);
    customer.behaviour.instead = {};
    id = `${id}-settings`;
    await context.addServer(id, customer, { auth_settings: { clientId: "by-hand" } });
    const state = new URL(await begin(user)).searchParams.get("state") ?? "";
    await assert.rejects(finish(user, new URLSearchParams({ state, error: "invalid_client" })), ConnectRefused);
  });
});
