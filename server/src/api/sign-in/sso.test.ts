import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { setEmailEnabled } from "#records/emails";
import { bearer, forEachApi } from "#test/api";
import { Browser, invite, signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createPerson } from "#test/factories";
import { type ProviderAccount, startIdentityProvider, type TestIdentityProvider } from "#test/identity-provider";
import { GOOD_PASSWORD } from "#test/passwords";

const CALLBACK = "http://127.0.0.1:8080/sso-callback";
const ADA: ProviderAccount = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };

forEachApi("single sign-on", (api) => {
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

  it("creates a person of an allowed domain and finds them again by the provider's ID", async () => {
    const { browser, answer } = await signIn(ADA, "?return_to=/connect/github");
    assert.deepEqual([answer.status, answer.headers.location], [303, "./connect/github"]);
    const { id, name, email, role } = await me(browser);
    assert.deepEqual([name, email, role], ["Ada Lovelace", "ada@example.com", "member"]);
    const renamed = await signIn({ ...ADA, email: "ada.king@example.com" });
    assert.equal((await me(renamed.browser)).id, id);
    const users = await api.db.selectFrom("users").select("id").execute();
    assert.equal(users.length, 1);
  });

  it("signs in an existing person by verified email, with their role", async () => {
    const local = await signedInAs(api.service, "owner", "ada@example.com");
    const { browser } = await signIn({ ...ADA, email: "ADA@example.com" });
    assert.deepEqual([(await me(browser)).id, (await me(browser)).role], [(await me(local)).id, "owner"]);
  });

  it("removes a password that somebody else may have chosen, and notifies the person (decision 0056)", async () => {
    await createPerson(api.service, "Ada", "ada@example.com");
    const { token } = await api.tokenWith("admin:write");
    const made = await api.call("POST", "/api/users/invite?email=ada@example.com", undefined, bearer(token));
    const intruder = new Browser(api.service);
    await intruder.accept(made.body.invite_url);
    await setEmailEnabled(api.db, true);
    const { browser } = await signIn(ADA);
    const { kind, data } = await api.db.selectFrom("emails").selectAll().executeTakeFirstOrThrow();
    const { account_resets: resets, sign_in_methods: methods } = await me(browser);
    assert.deepEqual([resets[0].reason, methods, kind, data.reason], ["sso", ["sso"], "account_reset", "sso"]);
    assert.equal((await intruder.api("GET", "/api/me")).status, 401);
    assert.equal((await new Browser(api.service).signIn("ada@example.com")).status, 401);
    assert.equal((await me((await signIn(ADA)).browser)).account_resets.length, 1);
  });

  it("rejects a different account of the provider with the email of an existing person", async () => {
    await signIn(ADA);
    const { answer } = await signIn({ ...ADA, sub: "ada-2" });
    assert.equal(answer.status, 403);
    assert.equal((await signIn(ADA)).answer.status, 303);
  });

  it("rejects emails that only match after Unicode folding, and creates no user", async () => {
    await signedInAs(api.service, "owner", "ada@example.com");
    for (const email of ["\uff41da@example.com", "ad\u00aa@example.com", "ada@example.com".replace("e", "\u212f")]) {
      const { browser, answer } = await signIn({ ...ADA, sub: email, email });
      assert.deepEqual([answer.status, browser.cookies.has("gatehouse-8080")], [403, false], email);
    }
    assert.equal((await api.db.selectFrom("users").select("id").execute()).length, 1);
    assert.equal((await signIn({ ...ADA, email: "ADA@EXAMPLE.com" })).answer.status, 303);
  });

  it("rejects unverified emails, other domains, disabled and machine users, and unknown people without auto_create", async () => {
    await configure({ auto_create: false });
    await createPerson(api.service, "Off", "off@example.com");
    await api.call("PATCH", "/api/users?email=off@example.com", { disabled: true });
    const bot = await createMachineUser(api.service, "bot");
    await configure({ allowed_domains: ["example.com", "machine.example.com"] });
    const refused: ProviderAccount[] = [
      { ...ADA, email_verified: false },
      { sub: "x", name: "No address" },
      { ...ADA, email: "ada@example.com.evil.org" },
      { ...ADA, email: "ada@sub.example.com" },
      { ...ADA, sub: "off", email: "off@example.com" },
      { ...ADA, sub: "bot", email: bot.email },
      { ...ADA, sub: "new", email: "new@example.com" },
    ];
    for (const account of refused) {
      const { browser, answer } = await signIn(account);
      assert.deepEqual([answer.status, browser.cookies.has("gatehouse-8080")], [403, false], account.email);
    }
    assert.equal((await api.db.selectFrom("users").select("id").execute()).length, 2);
  });

  it("updates mapped groups at each sign-in and keeps others", async () => {
    const [eng, ops, own] = [
      await createGroup(api.service, "Engineering"),
      await createGroup(api.service, "Operations"),
      await createGroup(api.service, "Own", { settings: { auto_assign_users: true } }),
    ];
    const group_mapping = { "eng-all": "engineering", "ops-all": "Operations" };
    const saved = await configure({ groups_claim: "groups", group_mapping, default_role: "auditor" });
    assert.deepEqual(saved.body.data.sso.group_mapping, { "eng-all": "Engineering", "ops-all": "Operations" });
    const first = await signIn({ ...ADA, groups: ["eng-all", "unknown", "__proto__"] });
    assert.equal((await me(first.browser)).role, "auditor");
    assert.deepEqual(await groupsOf("ada"), [eng, own].sort());
    await signIn({ ...ADA, groups: ["ops-all"] });
    assert.deepEqual(await groupsOf("ada"), [ops, own].sort());
    await signIn(ADA);
    assert.deepEqual(await groupsOf("ada"), [own]);
  });

  describe("a callback", () => {
    const over = async (browser: Browser, path: string) => {
      const answer = await browser.get(path);
      assert.deepEqual([answer.status, browser.cookies.has("gatehouse-8080")], [400, false]);
    };

    it("is accepted once, in the browser that started it, with its state (OA-1)", async () => {
      const { browser, callback } = await begin(ADA);
      const other = await begin({ ...ADA, sub: "eve", email: "eve@example.com" });
      await over(new Browser(api.service), callback);
      await over(other.browser, callback);
      await over(other.browser, other.callback);
      assert.equal((await browser.get(callback)).status, 303);
      browser.cookies.delete("gatehouse-8080");
      await over(browser, callback);
    });

    it("makes no request to the provider for a missing or forged cookie", async () => {
      const secret = "s".repeat(43);
      for (const cookie of [undefined, `${secret}.${secret}.${secret}.any.${Date.now()}.`, `1.${secret}`, "x"]) {
        // A new client ID bypasses the cached configuration.
        await configure({ client_id: `forged ${cookie}` });
        const { length: before } = idp.discoveries;
        const browser = new Browser(api.service);
        if (cookie !== undefined) browser.cookies.set("gatehouse-oidc-8080", cookie);
        await over(browser, `/sso-callback?code=x&state=${secret}`);
        assert.equal(idp.discoveries.length, before);
      }
    });

    it("rejects a missing state or code, a wrong issuer, and the provider's error, whose text is not shown", async () => {
      for (const [name, value] of [
        ["state", undefined],
        ["state", "x"],
        ["code", undefined],
        ["code", "x"],
        ["iss", "https://evil.example.com"],
        ["error", "<script>alert(1)</script>"],
      ] as const) {
        const { browser, callback } = await begin(ADA);
        const url = new URL(callback, "http://any");
        url.searchParams.delete(name);
        if (value !== undefined) url.searchParams.set(name, value);
        await over(browser, url.pathname + url.search);
      }
      assert.equal((await api.db.selectFrom("users").select("id").execute()).length, 0);
    });
  });

  it("caches the provider's configuration for minutes, and reads it again after a failed sign-in", async () => {
    const { length: before } = idp.discoveries;
    await configure({ client_id: "somebody-else" });
    for (let n = 0; n < 3; n++) await new Browser(api.service).get("/sso");
    assert.equal(idp.discoveries.length, before + 1);
    await configure();
    const { browser, callback } = await begin(ADA);
    assert.equal(idp.discoveries.length, before + 2);
    assert.equal((await browser.get(callback.replace(/code=[^&]*/, "code=wrong"))).status, 400);
    assert.equal((await signIn(ADA)).answer.status, 303);
    assert.equal(idp.discoveries.length, before + 3);
  });

  it("returns 502 when the provider is unavailable or reports a different issuer, and 404 without one", async () => {
    await configure({ issuer: `${idp.issuer}/elsewhere`, client_secret: "x" });
    assert.equal((await new Browser(api.service).get("/sso")).status, 502);
    await configure({ issuer: "http://127.0.0.1:1", client_secret: "x" });
    assert.equal((await new Browser(api.service).get("/sso")).status, 502);
    await api.call("PATCH", "/api/settings", { sso: null });
    assert.equal((await new Browser(api.service).get("/sso")).status, 404);
    assert.equal((await new Browser(api.service).get("/sign-in")).text.includes("Sign in with SSO"), false);
  });

  describe("local sign-in", () => {
    const turn = (local_sign_in: boolean) => api.call("PATCH", "/api/settings", { local_sign_in });

    it("cannot be turned off before an owner has used the provider, which then cannot be removed", async () => {
      const before = "local_sign_in: cannot be turned off before an owner has signed in with the identity provider";
      await signedInAs(api.service, "owner", "ada@example.com");
      await signIn({ ...ADA, sub: "bob", email: "bob@example.com" });
      assert.equal((await turn(false)).body.message, before);
      await signIn(ADA);
      assert.equal((await turn(false)).status, 200);
      await api.invalid("local_sign_in: cannot be turned off without single sign-on", "PATCH", "/api/settings", {
        sso: null,
      });
      assert.equal((await configure({ issuer: "https://idp.example.com" })).body.message, before);
      assert.equal((await turn(true)).status, 200);
      await api.call("PATCH", "/api/settings", { sso: null });
      assert.equal((await turn(false)).body.message, "local_sign_in: cannot be turned off without single sign-on");
    });

    it("rejects passwords and invitations when off, and keeps existing sessions", async () => {
      const local = await signedInAs(api.service, "owner", "ada@example.com");
      await createPerson(api.service, "Bob", "bob@example.com");
      const link = await invite(api.service, "bob@example.com");
      await signIn(ADA);
      const page = await new Browser(api.service).get("/sign-in");
      assert.deepEqual([page.text.includes('href="sso?'), page.text.includes('type="password"')], [true, true]);
      const form = new Browser(api.service);
      await form.get("/sign-in");
      const invitation = new Browser(api.service);
      await invitation.get("/invite");
      await turn(false);
      assert.equal((await form.submit("/sign-in", { email: "ada@example.com", password: GOOD_PASSWORD })).status, 403);
      assert.equal((await invitation.submit("/invite", { code: link, password: GOOD_PASSWORD })).status, 403);
      assert.equal((await invitation.get("/invite")).status, 403);
      assert.equal((await new Browser(api.service).get("/sign-in")).text.includes('type="password"'), false);
      assert.equal((await me(local)).email, "ada@example.com");
    });
  });

  describe("its settings", () => {
    it("can be changed only by owners and contain everything except the secret", async () => {
      const { body } = await api.call("GET", "/api/settings");
      const { issuer, clientId, clientSecret } = idp;
      assert.deepEqual(body.data.sso, {
        issuer,
        client_id: clientId,
        has_client_secret: true,
        allowed_domains: ["example.com"],
        groups_claim: null,
        group_mapping: {},
        remove_from_groups: true,
        default_role: "member",
        auto_create: true,
      });
      const rows = await api.auditOf(() => configure({ auto_create: false }));
      assert.equal(rows[0]?.operation, "updateSettings");
      assert.equal(JSON.stringify(await api.everything()).includes(clientSecret), false);
      const admin = await signedInAs(api.service, "admin");
      for (const change of [{ sso: null }, { sso: { auto_create: true } }, { local_sign_in: true }]) {
        const refused = await admin.api("PATCH", "/api/settings", change);
        assert.deepEqual([refused.status, refused.body.error], [403, "Insufficient permissions: requires all"]);
      }
    });

    it("change individually; a new issuer removes the secret", async () => {
      const secret = async (sso: object) =>
        (await api.call("PATCH", "/api/settings", { sso })).body.data.sso.has_client_secret;
      assert.equal(await secret({ auto_create: false }), true);
      assert.equal(await secret({ issuer: idp.issuer }), true);
      assert.equal(await secret({ issuer: "https://other.example.com" }), false);
      assert.equal(await secret({ client_secret: "y" }), true);
      assert.equal(await secret({ client_secret: null }), false);
    });

    it("rejects invalid values with 400", async () => {
      for (const [message, change] of [
        ["sso: must be an object or null", 1],
        ["sso.issuer: must be a valid http or https URL", { issuer: "javascript:alert(1)" }],
        ["sso.client_id: client_id is required", { client_id: "" }],
        ["sso.allowed_domains: must contain a domain", { allowed_domains: [] }],
        ["sso.allowed_domains.0: must be a domain such as example.com", { allowed_domains: ["@example.com"] }],
        ["sso.group_mapping: group not found: Unknown", { group_mapping: { a: "Unknown" } }],
        ["sso.default_role: must be one of admin, auditor, member", { default_role: "owner" }],
      ] as const) {
        await api.invalid(message, "PATCH", "/api/settings", { sso: change });
      }
      await api.call("PATCH", "/api/settings", { sso: null });
      await api.invalid("sso.issuer: issuer is required", "PATCH", "/api/settings", { sso: { client_id: "x" } });
    });
  });
});

forEachApi(
  "GET /sso",
  (api) => {
    it("limits sign-ins per IP address and minute", async () => {
      const statuses = new Set<number>();
      for (let n = 0; n < 100; n++) statuses.add((await new Browser(api.service).get("/sso")).status);
      assert.deepEqual([...statuses], [404]);
      const { status, headers } = await new Browser(api.service).get("/sso");
      assert.equal(status, 429);
      assert.ok(Number(headers["retry-after"]) > 0);
      api.clock.advance(60_000);
      assert.equal((await new Browser(api.service).get("/sso")).status, 404);
    });
  },
  { clock: "by-hand" },
);
