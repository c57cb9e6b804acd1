import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { createGroup, createMachineUser, createServer, type MachineUser } from "#test/factories";
import { callText, eraHeaders, listText } from "#test/mcp-messages";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { type Service, startService } from "#test/start-service";

forEachDatabase("a machine user with client credentials at the gateway (D24)", (open) => {
  let service: Service;
  let customer: Customer;
  let bot: MachineUser;
  let other: MachineUser;
  before(async () => {
    service = await startService(await open());
    customer = await startCustomer();
    const tokenUrl = `${customer.origin}/token`;
    bot = await createMachineUser(service, "bot", {
      client_credentials: { clientId: "by-hand-1", clientSecret: "secret-of-by-hand-1", tokenUrl },
    });
    other = await createMachineUser(service, "other");
    await createServer(service, "Wiki", customer.url, { auth_settings: { authType: "proxy-oauth" } });
    await createGroup(service, "All", { slugs: ["wiki"], emails: [bot.email, other.email] });
  });
  after(async () => {
    await service.close();
    await customer.close();
  });
  beforeEach(async () => {
    await service.api("DELETE", `/api/user/connection?email=${bot.email}&mcp=wiki`);
    customer.seen.length = 0;
  });
  const call = async ({ credential }: MachineUser) => {
    const text = callText({ era: "legacy", id: "7", tool: "wiki__whoami", arguments: "{}" });
    const { body } = await service.mcp(credential, text, eraHeaders("legacy", "tools/call", "wiki__whoami"));
    return body.result.content[0].text as string;
  };
  const standing = async ({ email }: MachineUser) => {
    const one = await service.api("GET", `/api/user/connection?email=${email}&mcp=wiki`);
    const all = await service.api("GET", `/api/user/mcp-servers?email=${email}`);
    const why = await service.api("GET", `/api/access/explain?email=${email}&tool=wiki__whoami`);
    return [one.body.data.status, all.body.data[0].connection.status, why.body.data.verdict];
  };

  it("lists and calls tools without a person connecting it", async () => {
    // The first list waits for the server only so long.
    for (;;) {
      const { body } = await service.mcp(bot.credential, listText("legacy"));
      if (body.result.tools.some(({ name }: { name: string }) => name === "wiki__whoami")) break;
    }
    assert.match(await call(bot), /^Bearer access-/);
    await call(bot);
    assert.equal(customer.to("/token").length, 1);
  });

  it("is reported as connected before its first call; other machine users are not", async () => {
    await call(bot);
    await service.api("DELETE", `/api/user/connection?email=${bot.email}&mcp=wiki`);
    assert.deepEqual(await standing(bot), ["connected", "connected", "allowed"]);
    await call(bot);
    assert.deepEqual(await standing(bot), ["connected", "connected", "allowed"]);
    assert.deepEqual(await standing(other), ["not_connected", "not_connected", "not_connected"]);
    assert.match(await call(other), /An owner of other@machine\.example\.com can do so here/);
  });

  it("ends tokens of replaced credentials; without credentials a person must connect it", async () => {
    const change = (client_credentials: object | null) =>
      service.api("PUT", `/api/users/client-credentials?email=${bot.email}`, { client_credentials });
    const listed = async () => {
      const { body } = await service.api("GET", "/api/users?type=machine&include_details=true&search=bot@");
      return body.data[0].client_credentials;
    };
    const tokenUrl = `${customer.origin}/token`;
    const given = { clientId: "by-hand-1", clientSecret: "secret-of-by-hand-1", tokenUrl };
    assert.deepEqual(await listed(), { client_id: "by-hand-1", token_url: tokenUrl });
    const old = await call(bot);
    assert.equal((await change(null)).status, 200);
    assert.equal(await listed(), null);
    assert.deepEqual((await standing(bot))[0], "not_connected");
    assert.match(await call(bot), /An owner of bot@machine/);
    const back = await change(given);
    assert.doesNotMatch(back.text, /secret-of/);
    const next = await call(bot);
    assert.match(next, /^Bearer access-/);
    assert.notEqual(next, old);
    const audit = await service.api("GET", "/api/audit?operation=setClientCredentials&target_type=user&limit=1");
    const { before, after } = audit.body.data[0];
    assert.deepEqual([before.client_credentials, after.client_credentials], [null, await listed()]);
    assert.doesNotMatch(audit.text, /secret-of/);
  });

  it("gets another token when the server rejects the old one", async () => {
    const old = await call(bot);
    customer.revokeToken(old.replace("Bearer ", ""));
    const next = await call(bot);
    assert.match(next, /^Bearer access-/);
    assert.notEqual(next, old);
  });

  it("requests no further token while the server rejects all of them", async () => {
    const none = (response: import("node:http").ServerResponse) => void response.writeHead(401).end();
    customer.behaviour.instead["/mcp"] = none;
    try {
      await call(bot).catch(() => undefined);
      const asked = customer.to("/token").length;
      assert.match(await call(bot), /no longer accepts your access/);
      assert.equal(customer.to("/token").length, asked);
    } finally {
      customer.behaviour.instead = {};
    }
  });
});
