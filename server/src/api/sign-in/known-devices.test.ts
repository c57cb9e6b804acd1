import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { GOOD_PASSWORD } from "#test/passwords";

const ADA = "ada@example.com";
const DEVICE = "gatehouse-device-8080";

/** Decision 0058. */
forEachApi(
  "a browser in which the person has signed in before",
  (api) => {
    let ada: Browser;
    const stranger = (email: string) => new Browser(api.service).signIn(email, "wrong");
    /** Everyone has the same IP address, as behind a proxy that is not trusted. */
    const blockEverybody = async () => {
      for (let n = 0; n < 5; n++) await stranger(ADA);
      for (let n = 0; n < 20; n++) await stranger(`p${n}@example.com`);
      assert.equal((await new Browser(api.service).signIn(ADA)).status, 429);
    };
    beforeEach(async () => {
      await api.db.deleteFrom("users").execute();
      await api.db.deleteFrom("sign_in_attempts").execute();
      ada = await signedInAs(api.service, "owner", ADA);
      await ada.submit("/sign-out", { csrf_token: await ada.csrfToken() });
    });

    it("keeps a sealed cookie for 90 days, also after signing out", async () => {
      const line = (await ada.signIn(ADA)).headers["set-cookie"]?.find((each) => each.startsWith(DEVICE));
      assert.match(String(line), /^gatehouse-device-8080=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=7776000$/);
      await ada.submit("/sign-out", { csrf_token: await ada.csrfToken() });
      assert.equal(ada.cookies.has(DEVICE), true);
      assert.equal((await ada.api("GET", "/api/me")).status, 401);
    });

    it("signs in while strangers block the account and the IP address", async () => {
      await blockEverybody();
      assert.equal((await ada.signIn(ADA)).status, 303);
      assert.equal((await new Browser(api.service).signIn(ADA)).status, 429);
    });

    it("has a separate limit for wrong passwords", async () => {
      for (let n = 0; n < 10; n++) assert.equal((await ada.signIn(ADA, "wrong")).status, 401);
      assert.equal((await ada.signIn(ADA)).status, 429);
      assert.equal((await new Browser(api.service).signIn(ADA)).status, 303);
      api.clock.advance(1_000);
      assert.equal((await ada.signIn(ADA)).status, 303);
    });

    it("is not exempt for another account or with a forged cookie", async () => {
      await signedInAs(api.service, "member", "bob@example.com");
      for (let n = 0; n < 5; n++) await stranger("bob@example.com");
      assert.equal((await ada.signIn("bob@example.com")).status, 429);
      await blockEverybody();
      const cookie = String(ada.cookies.get(DEVICE));
      ada.cookies.set(DEVICE, `${cookie.slice(0, -4)}AAAA`);
      assert.equal((await ada.signIn(ADA)).status, 429);
      ada.cookies.set(DEVICE, cookie);
      assert.equal((await ada.signIn(ADA)).status, 303);
    });

    it("confirms the password while strangers block the account", async () => {
      await ada.signIn(ADA);
      await blockEverybody();
      const confirmed = await ada.api("POST", "/api/me/confirm-password", { password: GOOD_PASSWORD });
      assert.equal(confirmed.status, 200, confirmed.text);
    });
  },
  { clock: "by-hand" },
);
