import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createGroup } from "#test/factories";
import { type ProviderAccount, startIdentityProvider, type TestIdentityProvider } from "#test/identity-provider";

const CALLBACK = "http://127.0.0.1:8080/sso-callback";
const ADA: ProviderAccount = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };

forEachApi("groups from single sign-on", (api) => {
  let idp: TestIdentityProvider;
  const configure = (changes: object = {}) =>
    api.call("PATCH", "/api/settings", {
      sso: {
        issuer: idp.issuer,
        client_id: idp.clientId,
        client_secret: idp.clientSecret,
        allowed_domains: ["Example.com"],
        ...changes,
      },
    });
  /** Signs in at the provider and returns the callback without calling it. */
  const begin = async (account: ProviderAccount, query = "") => {
    idp.account = account;
    const browser = new Browser(api.service);
    const start = await browser.get(`/sso${query}`);
    assert.equal(start.status, 303, start.text);
    const back = await idp.walk(String(start.headers.location));
    assert.equal(`${back.origin}${back.pathname}`, CALLBACK);
    return { browser, callback: `/sso-callback${back.search}` };
  };
  const signIn = async (account: ProviderAccount, query = "") => {
    const { browser, callback } = await begin(account, query);
    return { browser, answer: await browser.get(callback) };
  };
  const me = async (browser: Browser) => (await browser.api("GET", "/api/me")).body.data;
  const groupsOf = async (email: string) => {
    const { body } = await api.call("GET", `/api/users?search=${email}`);
    return body.data[0].group_ids;
  };
  before(async () => {
    idp = await startIdentityProvider(CALLBACK);
  });
  after(() => idp.close());
  beforeEach(async () => {
    await api.call("PATCH", "/api/settings", { local_sign_in: true, sso: null });
    await api.db.deleteFrom("users").execute();
    await api.db.deleteFrom("groups").execute();
    await configure();
  });

  describe("group mapping", () => {
    const names = async (email: string) => {
      const ids = new Set(await groupsOf(email));
      const { data } = (await api.call("GET", "/api/groups")).body;
      return data.filter((group: { id: string }) => ids.has(group.id)).map((group: { name: string }) => group.name);
    };
    const preview = async (body: object) => (await api.call("POST", "/api/settings/sso/preview", body)).body.data;

    it("keeps memberships that the claim does not list if removing is off", async () => {
      await createGroup(api.service, "Engineering");
      await createGroup(api.service, "Sales");
      const group_mapping = { eng: "Engineering", sales: "Sales" };
      await configure({ groups_claim: "groups", group_mapping, remove_from_groups: false });
      await signIn({ ...ADA, groups: ["eng"] });
      await signIn({ ...ADA, groups: ["sales"] });
      assert.deepEqual(await names("ada@example.com"), ["Engineering", "Sales"]);
      await configure({ remove_from_groups: true });
      await signIn({ ...ADA, groups: ["sales"] });
      assert.deepEqual(await names("ada@example.com"), ["Sales"]);
    });

    it("does not change groups that SCIM manages", async () => {
      const scim = { "content-type": "application/scim+json" };
      const pushed = await api.call("POST", "/scim/v2/Groups", { displayName: "Pushed" }, scim);
      assert.equal(pushed.status, 201, pushed.text);
      await configure({ groups_claim: "groups", group_mapping: { eng: "Pushed" } });
      await signIn({ ...ADA, groups: ["eng"] });
      assert.deepEqual(await names("ada@example.com"), []);
      const claims = { sub: ADA.sub, email: ADA.email, email_verified: true, groups: ["eng"] };
      assert.deepEqual((await preview({ claims })).groups.managed_by_scim, ["Pushed"]);
    });

    it("previews accounts and groups for claims, with saved or other settings", async () => {
      await createGroup(api.service, "Engineering");
      await createGroup(api.service, "Sales");
      await configure({ groups_claim: "groups", group_mapping: { eng: "Engineering" } });
      await signIn({ ...ADA, groups: ["eng"] });
      const claims = { sub: ADA.sub, email: ADA.email, email_verified: true, groups: ["x"], roles: { app: ["sales"] } };
      const before = await api.everything();
      assert.deepEqual(await preview({ claims }), {
        outcome: "sign_in",
        email: "ada@example.com",
        user: { name: "Ada Lovelace", email: "ada@example.com", role: "member" },
        groups: { joins: [], leaves: ["Engineering"], keeps: [], managed_by_scim: [], unmapped: ["x"] },
      });
      const other = { groups_claim: "roles.app", group_mapping: { sales: "Sales", eng: "Engineering" } };
      const { groups } = await preview({ claims, ...other, remove_from_groups: false });
      assert.deepEqual([groups.joins, groups.keeps, groups.leaves], [["Sales"], ["Engineering"], []]);
      const outcome = async (changes: object) => (await preview({ claims: { ...claims, ...changes } })).outcome;
      assert.equal(await outcome({ sub: "new", email: "new@example.com" }), "create");
      assert.equal(await outcome({ sub: "new" }), "different-account");
      assert.equal(await outcome({ email_verified: "true" }), "no-verified-email");
      assert.equal(await outcome({ email: "ada@example.org" }), "other-domain");
      assert.deepEqual(await api.everything(), before);
      await api.invalid("sso.group_mapping: group not found: None", "POST", "/api/settings/sso/preview", {
        ...{ claims, group_mapping: { x: "None" } },
      });
    });
  });

  describe("test sign-in", () => {
    const test = async (browser: Browser, account: ProviderAccount) => {
      idp.account = account;
      const start = await browser.get("/sso?test=true");
      if (start.status !== 303) return start;
      const back = await idp.walk(String(start.headers.location));
      return browser.get(`/sso-callback${back.search}`);
    };

    it("shows claims and groups, without signing in or changing anything", async () => {
      const admin = await signedInAs(api.service, "admin");
      await createGroup(api.service, "Engineering");
      await configure({ groups_claim: "groups", group_mapping: { eng: "Engineering" } });
      const before = await api.everything();
      const page = await test(admin, { ...ADA, name: "<b>Ada</b>", groups: ["eng", "other"] });
      assert.equal(page.status, 200, page.text);
      for (const text of [
        "A new account would be created for ada@example.com",
        "Engineering",
        "other",
        "&lt;b&gt;Ada",
      ]) {
        assert.ok(page.text.includes(text), text);
      }
      assert.ok(!page.text.includes("<b>Ada"));
      assert.deepEqual(await api.everything(), before);
      assert.equal((await me(admin)).email, "admin@example.com");
      const rejected = await test(admin, { ...ADA, email_verified: false });
      assert.match(rejected.text, /would be rejected/);
    });

    it("is for signed-in owners and admins, and only in the session that started it", async () => {
      assert.notEqual(
        (await new Browser(api.service).get("/sso?test=true")).headers.location?.includes(idp.issuer),
        true,
      );
      const member = await signedInAs(api.service, "member");
      assert.equal((await test(member, ADA)).status, 403);
      const admin = await signedInAs(api.service, "admin");
      idp.account = ADA;
      const back = await idp.walk(String((await admin.get("/sso?test=true")).headers.location));
      const { id } = await me(admin);
      await api.db.deleteFrom("web_sessions").where("user_id", "=", id).execute();
      assert.equal((await admin.get(`/sso-callback${back.search}`)).status, 400);
      assert.equal(
        (
          await api.db
            .selectFrom("users")
            .where("email", "=", ADA.email ?? "")
            .select("id")
            .execute()
        ).length,
        0,
      );
    });
  });
});
