import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createMachineUser } from "#test/factories";
import { type ProviderAccount, startIdentityProvider, type TestIdentityProvider } from "#test/identity-provider";

const ADA: ProviderAccount = { sub: "ada-1", email: "ada@example.com", email_verified: true, name: "Ada Lovelace" };
const CONFIRM = "/sso?confirm=true&return_to=/machine-users";

forEachApi("confirming an identity with single sign-on", (api) => {
  let idp: TestIdentityProvider;
  let ada: Browser;
  let bot: Awaited<ReturnType<typeof createMachineUser>>;
  before(async () => {
    idp = await startIdentityProvider("http://127.0.0.1:8080/sso-callback");
    const { issuer, clientId: client_id, clientSecret: client_secret } = idp;
    const sso = { issuer, client_id, client_secret, allowed_domains: ["example.com"] };
    assert.equal((await api.call("PATCH", "/api/settings", { sso })).status, 200);
    await signedInAs(api.service, "owner", ADA.email);
    bot = await createMachineUser(api.service, "bot");
  });
  beforeEach(async () => {
    ada = new Browser(api.service);
    await through(ada, "/sso", ADA);
  });
  after(() => idp.close());

  const through = async (browser: Browser, path: string, account: ProviderAccount) => {
    idp.account = account;
    const start = await browser.get(path);
    assert.equal(start.status, 303, start.text);
    const asked = new URL(String(start.headers.location));
    const { search } = await idp.walk(asked.href);
    return { asked: asked.searchParams, answer: await browser.get(`/sso-callback${search}`) };
  };
  const me = async () => (await ada.api("GET", "/api/me")).body.data;
  const reveal = async () => (await ada.api("POST", `/api/users/reveal-secret?email=${bot.email}`)).status;

  it("confirms a person without a password in their current session", async () => {
    assert.deepEqual((await me()).sign_in_methods, ["password", "sso"]);
    await api.db.deleteFrom("passwords").execute();
    const before = await me();
    assert.deepEqual([before.sign_in_methods, await reveal()], [["sso"], 403]);
    const { asked, answer } = await through(ada, CONFIRM, ADA);
    assert.deepEqual([asked.get("max_age"), asked.get("prompt")], ["0", "login"]);
    assert.deepEqual([answer.status, answer.headers.location], [303, "./machine-users"]);
    const { web_session_id, csrf_token } = await me();
    assert.deepEqual([web_session_id, csrf_token], [before.web_session_id, before.csrf_token]);
    assert.equal(await reveal(), 200);
  });

  it("shows a page that closes itself in a popup", async () => {
    const { answer } = await through(ada, `${CONFIRM}&view=popup`, ADA);
    assert.deepEqual([answer.status, answer.headers.location], [200, undefined]);
    assert.match(answer.text, /data-outcome="confirmed" data-close/);
    assert.equal(await reveal(), 200);
  });

  it("is rejected for a different account and a different session", async () => {
    const { answer } = await through(ada, CONFIRM, { ...ADA, sub: "bob", email: "bob@example.com" });
    assert.deepEqual([answer.status, (await me()).email, await reveal()], [403, ADA.email, 403]);
    idp.account = ADA;
    const start = await ada.get(CONFIRM);
    const { search } = await idp.walk(String(start.headers.location));
    ada.cookies.delete("gatehouse-8080");
    assert.equal((await ada.get(`/sso-callback${search}`)).status, 400);
    assert.equal(ada.cookies.has("gatehouse-8080"), false);
  });

  it("redirects signed-out visitors to sign in", async () => {
    const { status, headers } = await new Browser(api.service).get(CONFIRM);
    assert.deepEqual([status, headers.location], [303, `./sign-in?return_to=${encodeURIComponent(CONFIRM)}`]);
  });
});
