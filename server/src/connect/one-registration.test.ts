import assert from "node:assert/strict";
import { after, before, it } from "node:test";
import { systemClock } from "#lib/clock";
import { forEachDatabase } from "#test/databases";
import { userRow } from "#test/example-replica";
import { AUTHOR, type ConnectSetup, openConnectSetup } from "#test/oauth/connect-setup";
import { type Customer, startCustomer } from "#test/oauth/customer";

const USERS = Array.from({ length: 100 }, (_, n) => `usr_of_many_${n}`);

forEachDatabase("100 users who connect to one server concurrently (OA-10)", (open) => {
  let context: ConnectSetup;
  let customer: Customer;
  before(async () => {
    // Real time: the requests that wait for the registration poll.
    context = await openConnectSetup(await open(), systemClock);
    await context.db.insertInto("users").values(USERS.map(userRow)).execute();
    customer = await startCustomer();
  });
  after(async () => {
    await customer.close();
    context.close();
  });

  for (const count of [1, 2]) {
    it(`cause one registration on ${count === 1 ? "one process" : "two replicas"}, and all are connected`, async () => {
      const id = `srv_${count}`;
      await context.addServer(id, customer);
      customer.seen.length = 0;
      const replicas = Array.from({ length: count }, () => context.replica());
      const server = await context.server(id);
      const clients = await Promise.all(
        USERS.map(async (userId, n) => {
          const connect = replicas[n % count];
          assert.ok(connect);
          const url = await connect.begin({ user: { id: userId }, server, browser: userId }, AUTHOR);
          const query = new URL(await customer.agree(url)).searchParams;
          await connect.finish({ query, serverId: id, browser: userId, requestId: "req_test" });
          return new URL(url).searchParams.get("client_id");
        }),
      );
      assert.equal(customer.to("/register").length, 1);
      assert.equal(new Set(clients).size, 1);
      const rows = await context.db.selectFrom("connections").selectAll().where("server_id", "=", id).execute();
      assert.deepEqual(rows.map(({ user_id, state }) => `${user_id} ${state}`).sort(), [
        ...USERS.map((userId) => `${userId} connected`).sort(),
      ]);
    });
  }
});
