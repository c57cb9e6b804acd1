import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { AUTHOR, BASE_URL, type ConnectSetup, openConnectSetup, USER } from "#test/oauth/connect-setup";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { UpstreamCredentials } from "./upstream-credentials.ts";

const WELL_KNOWN = "/.well-known/oauth-protected-resource";

/** Plays a server that wants the tokens which people get at another server's authorization server. */
forEachDatabase("a server that names another server's authorization server (OA-4)", (open) => {
  const clock = testClock();
  let context: ConnectSetup;
  let honest: Customer;
  let evil: Customer;
  let sound: Customer["behaviour"];
  let n = 0;
  let [target, attacker] = ["", ""];
  before(async () => {
    context = await openConnectSetup(await open(), clock);
    [honest, evil] = [await startCustomer(), await startCustomer()];
    sound = { ...evil.behaviour };
  });
  beforeEach(async () => {
    Object.assign(evil.behaviour, sound, { instead: {}, resources: {} });
    for (const { seen } of [honest, evil]) seen.length = 0;
    await context.db.deleteFrom("mcp_servers").execute();
    [target, attacker] = [`srv_honest${++n}`, `srv_evil${n}`];
    await context.addServer(target, honest);
    await context.addServer(attacker, evil);
  });
  after(async () => {
    await honest.close();
    await evil.close();
    context.close();
  });

  const begin = async (id: string) =>
    context.connect.begin({ user: { id: USER }, server: await context.server(id), browser: "browser" }, AUTHOR);
  const discover = async (id: string) => context.connect.discover(await context.server(id), AUTHOR);
  const nameHonest = () => {
    evil.behaviour.resources[WELL_KNOWN] = { resource: evil.url, authorization_servers: [honest.origin] };
  };
  const audited = async () => {
    const rows = await context.db.selectFrom("audit").select(["operation", "target_id"]).execute();
    return rows.filter(({ target_id }) => target_id === attacker).map(({ operation }) => operation);
  };

  it("keeps using the pinned one, and records the other until an admin approves it", async () => {
    await context.connected(evil, attacker);
    nameHonest();
    assert.equal(new URL(await begin(attacker)).origin, evil.origin);
    assert.equal(honest.to("/register").length + honest.to("/authorize").length, 0);
    const { discovered_oauth: pinned, oauth_change: change } = await context.server(attacker);
    assert.deepEqual([pinned?.issuer, change?.found.issuer], [evil.origin, honest.origin]);
    await begin(attacker);
    assert.deepEqual(await audited(), ["discoverOAuth", "noteOAuthChange"]);
    evil.behaviour.resources = {};
    await begin(attacker);
    assert.equal((await context.server(attacker)).oauth_change, null, "the server names the pinned one again");
  });

  it("does not change the pin when an admin only runs the discovery again", async () => {
    await discover(attacker);
    nameHonest();
    const { found, change, sharedWith } = await discover(attacker);
    assert.deepEqual([found.issuer, change?.issuer, sharedWith], [evil.origin, honest.origin, [target]]);
    assert.equal((await context.server(attacker)).discovered_oauth?.issuer, evil.origin);
    assert.equal(honest.to("/register").length, 0);
  });

  it("keeps the pinned issuer while the server still lists it", async () => {
    await discover(attacker);
    const both = [honest.origin, evil.origin];
    evil.behaviour.resources[WELL_KNOWN] = { resource: evil.url, authorization_servers: both };
    assert.equal((await discover(attacker)).change, undefined);
  });

  for (const endpoint of ["authorization_endpoint", "token_endpoint"]) {
    it(`records another origin of the ${endpoint} under the same issuer`, async () => {
      await discover(attacker);
      evil.behaviour.metadata = (whole) => ({ ...whole, [endpoint]: `${honest.origin}/authorize` });
      const { found, change } = await discover(attacker);
      assert.ok(change);
      assert.deepEqual(
        [found.authorizationEndpoint, found.tokenEndpoint],
        [`${evil.origin}/authorize`, `${evil.origin}/token`],
      );
    });
  }

  it("records another issuer with the same endpoints, as of another tenant", async () => {
    await discover(attacker);
    const issuer = `${evil.origin}/tenant`;
    evil.behaviour.resources = {
      [WELL_KNOWN]: { resource: evil.url, authorization_servers: [issuer] },
      "/.well-known/oauth-authorization-server/tenant": {
        issuer,
        authorization_endpoint: `${evil.origin}/authorize`,
        token_endpoint: `${evil.origin}/token`,
      },
    };
    const { found, change } = await discover(attacker);
    assert.deepEqual([found.issuer, change?.issuer], [evil.origin, issuer]);
  });

  it("records another resource on the same origin", async () => {
    await discover(attacker);
    evil.behaviour.resources[WELL_KNOWN] = { resource: evil.origin, authorization_servers: [evil.origin] };
    const { found, change } = await discover(attacker);
    assert.deepEqual([found.resource, change?.resource], [evil.url, evil.origin]);
  });

  it("needs an admin if a user is the first to connect, and the other server gets its tokens there", async () => {
    nameHonest();
    await assert.rejects(begin(attacker), /also issues tokens for another server\. An administrator must approve/);
    assert.equal(honest.to("/register").length, 0);
    const { discovered_oauth: pinned, oauth_change: change } = await context.server(attacker);
    assert.deepEqual([pinned, change?.found.issuer], [null, honest.origin]);
    const { found, sharedWith } = await discover(attacker);
    assert.deepEqual([found.issuer, sharedWith], [honest.origin, [target]], "an admin who sees it pins it");
  });

  it("registers a separate client with its own redirect URL for each server at one authorization server", async () => {
    nameHonest();
    await discover(attacker);
    await discover(target);
    const registered = honest.to("/register").map(({ fields }) => [fields.client_name, fields.redirect_uris]);
    assert.deepEqual(registered, [
      [`Gatehouse (Test): ${attacker}`, [`${BASE_URL}/oauth/callback/${attacker}`]],
      [`Gatehouse (Test): ${target}`, [`${BASE_URL}/oauth/callback/${target}`]],
    ]);
    const clients = await Promise.all(
      [attacker, target].map(async (id) => new URL(await begin(id)).searchParams.get("client_id")),
    );
    assert.equal(new Set(clients).size, 2);
  });

  it("cannot use the client of the other server to get a code that it exchanges itself", async () => {
    await discover(target);
    const { client_id } = await context.db.selectFrom("oauth_clients").selectAll().executeTakeFirstOrThrow();
    evil.behaviour.metadata = (whole) => ({ ...whole, authorization_endpoint: `${honest.origin}/authorize` });
    evil.behaviour.registration = (whole) => ({ ...whole, client_id });
    await discover(attacker);
    const url = await begin(attacker);
    assert.equal(new URL(url).searchParams.get("client_id"), client_id);
    await assert.rejects(honest.agree(url), "the redirect URL is not registered there");
    assert.equal(evil.to("/token").length, 0);
  });

  it("rejects a response at the redirect URL of another server", async () => {
    const query = await context.signIn(evil, attacker);
    for (const serverId of [target, undefined]) {
      const copy = await context.signIn(evil, attacker);
      await assert.rejects(
        context.connect.finish({ query: copy, serverId, browser: "browser", requestId: "r" }),
        /not valid in this browser/,
      );
    }
    assert.equal(evil.to("/token").length, 0);
    await context.connect.finish({ query, serverId: attacker, browser: "browser", requestId: "r" });
  });

  it("sends no stored credential to a URL that was changed in the database (AZ-8)", async () => {
    await context.connected(honest, target);
    const { db, vault } = context;
    const newId = createIds(clock, systemRandom);
    const credentials = new UpstreamCredentials({ db, vault, clock, newId, logger: createLogger("silent") });
    const at = (url: string) => ({ id: target, upstream: { url } });
    assert.equal(typeof (await credentials.of(at(honest.url), USER)), "object");
    await db.updateTable("mcp_servers").set({ upstream_url: evil.url }).where("id", "=", target).execute();
    assert.equal(await credentials.of(at(evil.url), USER), "reconnect_needed");
    await credentials.close();
  });
});
