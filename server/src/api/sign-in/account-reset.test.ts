import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { Browser, invite, signedInAs } from "#test/browser";
import { createPerson } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";

const ADA = "ada@example.com";
const NEW_PASSWORD = "another-long-passphrase-7";

/** Decision 0056. */
forEachApi("inviting a person who has signed in before", (api) => {
  let ada: Browser;
  let adaId = "";
  let serverId = "";
  const me = async (browser: Browser) => (await browser.api("GET", "/api/me")).body.data;
  const count = async (table: "connections" | "connect_links" | "oauth_flows" | "oauth_grants" | "web_sessions") =>
    (await api.db.selectFrom(table).select("user_id").where("user_id", "=", adaId).execute()).length;
  const inviteAs = (headers: Record<string, string>) =>
    api.call("POST", `/api/users/invite?email=${ADA}`, undefined, headers);
  /** Everything that would give somebody else access to Ada's accounts at MCP servers. */
  const giveAda = async () => {
    const now = Date.now();
    const later = now + 600_000;
    const ids = { user_id: adaId, server_id: serverId };
    await api.db
      .insertInto("connections")
      .values({
        ...{ ...ids, id: "con_1", kind: "api_key", state: "connected", sealed_credential: "1.sealed" },
        ...{ expires_at: null, scopes: null, needed_scopes: null, issuer: null, resource: null, last_error: null },
        ...{ created_at: now, updated_at: now },
      })
      .execute();
    await api.db
      .insertInto("connect_links")
      .values({ ...ids, token_hash: "hash", expires_at: later })
      .execute();
    const client = {
      client_id: "cli_1",
      client_name: "Client",
      redirect_uri: "http://127.0.0.1/",
      resource_path: null,
    };
    await api.db
      .insertInto("oauth_grants")
      .values({ id: "grant", user_id: adaId, ...client, created_at: now, last_used_at: now, expires_at: later })
      .execute();
  };

  beforeEach(async () => {
    await api.db.deleteFrom("users").execute();
    await api.db.deleteFrom("mcp_servers").execute();
    await api.db.deleteFrom("sign_in_attempts").execute();
    ada = await signedInAs(api.service, "member", ADA);
    adaId = (await me(ada)).id;
    const mcp_proxy = JSON.stringify({ type: "http", url: "http://127.0.0.1:9/mcp" });
    const auth_settings = { authType: "proxy-api-key" };
    await api.call("POST", "/api/mcp-servers", { name: "Notes", slug: "notes", mcp_proxy, auth_settings });
    serverId = (await api.db.selectFrom("mcp_servers").select("id").executeTakeFirstOrThrow()).id;
  });

  it("requires the scope all, of tokens and of people", async () => {
    const { token } = await api.tokenWith("admin:write");
    const admin = await signedInAs(api.service, "admin");
    const refused = { error: "Insufficient permissions: requires all" };
    const byToken = await inviteAs(bearer(token));
    const byAdmin = await admin.api("POST", `/api/users/invite?email=${ADA}`);
    assert.deepEqual([byToken.status, byToken.body], [403, refused]);
    assert.deepEqual([byAdmin.status, byAdmin.body], [403, refused]);
    const byAll = await inviteAs(bearer(api.service.token));
    assert.deepEqual([byAll.status, byAll.body.data.resets_account], [201, true]);
  });

  it("deletes connections, sessions, and MCP clients only when the link is accepted", async () => {
    await giveAda();
    const url = await invite(api.service, ADA);
    assert.deepEqual([await count("connections"), await count("oauth_grants"), (await me(ada)).email], [1, 1, ADA]);
    const other = new Browser(api.service);
    const [row] = (await api.auditOf(() => other.accept(url, NEW_PASSWORD))).filter(
      (each) => each.operation === "acceptInvitation",
    );
    for (const table of ["connections", "connect_links", "oauth_grants"] as const) assert.equal(await count(table), 0);
    assert.deepEqual([await count("web_sessions"), (await ada.api("GET", "/api/me")).status], [1, 401]);
    assert.deepEqual(row?.after, {
      role: "member",
      invited_by: "Bootstrap token",
      resets_account: true,
      ended_web_sessions: 1,
      ended_clients: 1,
      deleted_connections: 1,
      deleted_api_tokens: 0,
      revoked_invitations: 0,
    });
  });

  it("notifies the person at every sign-in for 30 days, and no session can dismiss it", async () => {
    await new Browser(api.service).accept(await invite(api.service, ADA), NEW_PASSWORD);
    for (const browser of [new Browser(api.service), new Browser(api.service)]) {
      await browser.signIn(ADA, NEW_PASSWORD);
      const [reset, ...more] = (await me(browser)).account_resets;
      assert.deepEqual(
        [reset.reason, reset.invited_by, reset.invited_by_type, reset.address, more],
        ["invitation", "Bootstrap token", "api_token", "127.0.0.1", []],
      );
    }
    const old = Date.now() - 31 * 24 * 60 * 60 * 1000;
    await api.db.updateTable("account_resets").set({ created_at: old }).execute();
    const later = new Browser(api.service);
    await later.signIn(ADA, NEW_PASSWORD);
    assert.deepEqual((await me(later)).account_resets, []);
  });

  it("keeps the five newest notices", async () => {
    for (let n = 0; n < 7; n++) await new Browser(api.service).accept(await invite(api.service, ADA));
    assert.equal((await api.db.selectFrom("account_resets").select("id").execute()).length, 5);
  });

  describe("the first invitation", () => {
    it("needs only admin:write and shows no notice", async () => {
      await createPerson(api.service, "Bob", "bob@example.com");
      const { token } = await api.tokenWith("admin:write");
      const answer = await api.call("POST", "/api/users/invite?email=bob@example.com", undefined, bearer(token));
      assert.deepEqual([answer.status, answer.body.data.resets_account], [201, false]);
      const bob = new Browser(api.service);
      await bob.accept(answer.body.invite_url);
      assert.deepEqual((await me(bob)).account_resets, []);
    });

    it("deletes connections that were made before the first sign-in, which belong to whoever made them", async () => {
      await createPerson(api.service, "Bob", "bob@example.com");
      const url = await invite(api.service, "bob@example.com");
      const bob = await api.db.selectFrom("users").select("id").where("name", "=", "Bob").executeTakeFirstOrThrow();
      adaId = bob.id;
      await giveAda();
      await new Browser(api.service).accept(url);
      assert.deepEqual([await count("connections"), await count("connect_links")], [0, 0]);
    });

    it("is rejected once the person has signed in in another way", async () => {
      await createPerson(api.service, "Bob", "bob@example.com");
      const url = await invite(api.service, "bob@example.com");
      const bob = await api.db.selectFrom("users").select("id").where("name", "=", "Bob").executeTakeFirstOrThrow();
      const identity = { issuer: "https://idp.example.com", subject: "bob", user_id: bob.id, created_at: 0 };
      await api.db.insertInto("user_identities").values(identity).execute();
      assert.equal((await new Browser(api.service).accept(url, GOOD_PASSWORD)).status, 410);
      assert.equal(
        (await api.db.selectFrom("passwords").select("user_id").where("user_id", "=", bob.id).execute()).length,
        0,
      );
    });
  });
});
