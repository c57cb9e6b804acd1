import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { Browser } from "#test/browser";
import { openTestPostgres, type TestDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, type MachineUser } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { type Service, startService } from "#test/start-service";

describe("two replicas over one Postgres", () => {
  let database: TestDatabase;
  let replicas: Service[];
  let customer: Customer;
  let notes: Customer;
  let bot: MachineUser;
  before(async () => {
    database = await openTestPostgres();
    replicas = [await startService(database), await startService(database)];
    [customer, notes] = [await startCustomer(), await startCustomer()];
    const [service] = replicas;
    assert.ok(service);
    bot = await createMachineUser(service, "bot");
    await createServer(service, "Wiki", customer.url, { auth_settings: { authType: "proxy-oauth" } });
    await createGroup(service, "All", { slugs: ["wiki"], emails: [bot.email] });
    await connect(service, customer, await linkFor(service, bot.email, "wiki"));
    for (const replica of replicas) while (!(await listsTool(replica)));
  });
  after(async () => {
    for (const replica of replicas) await replica.close();
    await customer.close();
    await notes.close();
    await database.close();
  });
  const ask = (service: Service, method: string, params: object) =>
    service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method, params });
  const listsTool = async (service: Service) =>
    (await ask(service, "tools/list", {})).body?.result?.tools?.some(
      ({ name }: { name: string }) => name === "wiki__whoami",
    );

  it("200 concurrent calls with an expired token cause one refresh and no failure (OA-11)", async () => {
    for (const token of customer.goodTokens()) customer.revokeToken(token);
    customer.seen.length = 0;
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, n) => {
        const replica = replicas[n % 2];
        assert.ok(replica);
        return ask(replica, "tools/call", { name: "wiki__whoami", arguments: {} });
      }),
    );
    const [token] = customer.goodTokens();
    const failed = answers.filter(({ body }) => body?.result?.content?.[0]?.text !== `Bearer ${token}`);
    assert.deepEqual(
      failed.map(({ text }) => text),
      [],
    );
    assert.equal(customer.to("/token").length, 1);
  });

  it("100 users who connect concurrently cause one registration, and all are connected (OA-10)", async () => {
    const [service] = replicas;
    assert.ok(service);
    await createServer(service, "Notes", notes.url, { auth_settings: { authType: "proxy-oauth" } });
    const users = await Promise.all(
      Array.from({ length: 100 }, (_, n) => createMachineUser(service, `one of many ${n}`)),
    );
    await createGroup(service, "Many", { slugs: ["notes"], emails: users.map(({ email }) => email) });
    const links = await Promise.all(users.map(({ email }) => linkFor(service, email, "notes")));
    await Promise.all(links.map((link, n) => connect(replicas[n % 2] ?? service, notes, link)));
    assert.equal(notes.to("/register").length, 1);
    assert.equal(new Set(notes.to("/authorize").map(({ fields }) => fields.client_id)).size, 1);
    assert.equal(notes.goodTokens().length, users.length);
  });
});

async function linkFor(service: Service, email: string, slug: string): Promise<string> {
  const answer = await service.api("GET", `/api/user/auth-url?email=${email}&mcp=${slug}`);
  assert.equal(answer.status, 200, answer.text);
  return new URL(answer.body.data.url).pathname;
}

/** As a user does it in a browser of their own. */
async function connect(service: Service, customer: Customer, link: string): Promise<void> {
  const browser = new Browser(service);
  const left = await browser.get(link);
  const back = new URL(await customer.agree(left.headers.location ?? ""));
  const done = await browser.get(back.pathname + back.search);
  assert.equal(done.status, 200, done.text);
}
