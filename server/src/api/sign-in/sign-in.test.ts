import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { Browser, invite, signedInAs } from "#test/browser";
import { createPerson } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const ADA = "ada@example.com";

forEachApi(
  "signing in",
  (api) => {
    let ada: Browser;
    const signIn = (email: string, password: string) => new Browser(api.service).signIn(email, password);
    const isSignedIn = async (browser: Browser) => (await browser.api("GET", "/api/me")).status === 200;
    beforeEach(async () => {
      await api.db.deleteFrom("users").execute();
      await api.db.deleteFrom("sign_in_attempts").execute();
      ada = await signedInAs(api.service, "member", ADA);
    });

    it("sets an HttpOnly, SameSite session cookie (WEB-5)", async () => {
      const browser = new Browser(api.service);
      const answer = await browser.signIn(ADA.toUpperCase());
      assert.deepEqual([answer.status, answer.headers.location], [303, "./"]);
      const cookie = answer.headers["set-cookie"]?.find((line) => line.startsWith("gatehouse-8080="));
      assert.match(
        String(cookie),
        /^gatehouse-8080=gh_ws_[0-9A-Za-z]{49}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=604800$/,
      );
      const { data } = (await browser.api("GET", "/api/me")).body;
      assert.deepEqual([data.type, data.email, data.role, data.scopes], ["user", ADA, "member", []]);
    });

    it("starts a new session each time and ends the browser's previous one (WEB-5)", async () => {
      const before = ada.cookie;
      await ada.signIn(ADA);
      assert.notEqual(ada.cookie, before);
      const old = await api.service.http("/api/me", { headers: { cookie: before } });
      assert.deepEqual([old.status, await isSignedIn(ada)], [401, true]);
      const planted = new Browser(api.service);
      planted.cookies.set("gatehouse-8080", "planted");
      await planted.signIn(ADA);
      assert.notEqual(planted.cookies.get("gatehouse-8080"), "planted");
    });

    it("responds identically for unknown, disabled, and machine accounts, a missing password, and a wrong one (AUTH-5)", async () => {
      await createPerson(api.service, "Eve", "eve@example.com");
      const bot = await api.call("POST", "/api/users", { is_machine_user: true, name: "bot" });
      await signedInAs(api.service, "member", "off@example.com");
      await api.call("PATCH", "/api/users?email=off@example.com", { disabled: true });
      const tries = [
        [ADA, "wrong-password-of-ada"],
        ["nobody@example.com", GOOD_PASSWORD],
        ["eve@example.com", ""],
        [bot.body.data.email, GOOD_PASSWORD],
        ["off@example.com", GOOD_PASSWORD],
        ["", ""],
        ["a\0b", GOOD_PASSWORD],
      ] as const;
      const answers = await Promise.all(tries.map(([email, password]) => signIn(email, password)));
      for (const { status, text } of answers) {
        assert.equal(status, 401);
        assert.match(text, /Wrong email or password\./);
        assert.equal(text.includes(GOOD_PASSWORD), false);
      }
    });

    it("audits failed attempts without the typed values, up to a hundred per hour, and counts the others", async () => {
      await api.db.deleteFrom("audit").execute();
      api.clock.advance(HOUR_MS);
      const rows = async () => {
        const { data } = (await api.call("GET", "/api/audit?operation=signInFailed&limit=200")).body;
        return data as {
          target: { name: string };
          after: { method: string; address: string; not_recorded?: number };
        }[];
      };
      await signIn(ADA, "typed-canary");
      api.clock.advance(1);
      await signIn("typed-canary", GOOD_PASSWORD);
      const [second, first] = await rows();
      assert.deepEqual([first?.target.name, second?.target.name], [ADA, "no such account"]);
      assert.deepEqual([first?.after.method, first?.after.address], ["password", "127.0.0.1"]);
      assert.doesNotMatch(JSON.stringify(await rows()), /canary/);
      for (let n = 0; n < 102; n++) {
        await api.db.deleteFrom("sign_in_attempts").execute();
        assert.equal((await signIn(`p${n}@example.com`, "wrong")).status, 401);
      }
      assert.equal((await rows()).length, 100);
      api.clock.advance(HOUR_MS);
      await signIn(ADA, "wrong");
      assert.deepEqual([(await rows()).length, (await rows())[0]?.after.not_recorded], [101, 4]);
    });

    it("limits the sign-ins of an account, which are audited, to 60 per hour", async () => {
      api.clock.advance(HOUR_MS);
      for (let n = 0; n < 60; n++) assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 303);
      assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 429);
      api.clock.advance(HOUR_MS);
      assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 303);
    });

    describe("after wrong passwords", () => {
      it("throttles the account with doubling delays, also for the right password", async () => {
        for (let n = 0; n < 5; n++) assert.equal((await signIn(ADA, "wrong")).status, 401);
        for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
          const blocked = await signIn(ADA.toUpperCase(), GOOD_PASSWORD);
          assert.deepEqual([blocked.status, blocked.headers["retry-after"]], [429, String(seconds)]);
          api.clock.advance(seconds * 1_000);
          assert.equal((await signIn(ADA, "wrong")).status, 401);
        }
        api.clock.advance(MINUTE_MS);
        assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 303);
        assert.equal((await signIn(ADA, "wrong")).status, 401);
        assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 303);
      });

      it("throttles an unknown account in the same way", async () => {
        for (let n = 0; n < 5; n++) await signIn("nobody@example.com", "wrong");
        const answer = await signIn("nobody@example.com", "wrong");
        assert.deepEqual([answer.status, answer.headers["retry-after"]], [429, "1"]);
      });

      it("throttles concurrent attempts", async () => {
        const answers = await Promise.all(Array.from({ length: 100 }, () => signIn(ADA, "wrong")));
        assert.equal(answers.filter(({ status }) => status === 401).length, 5);
      });

      it("throttles an IP address across accounts and resets after an hour", async () => {
        for (let n = 0; n < 20; n++) assert.equal((await signIn(`p${n}@example.com`, "wrong")).status, 401);
        assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 429);
        api.clock.advance(HOUR_MS);
        for (let n = 0; n < 4; n++) assert.equal((await signIn(`p${n}@example.com`, "wrong")).status, 401);
        assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 303);
      });
    });

    describe("a session", () => {
      it("expires after twelve idle hours and after seven days", async () => {
        api.clock.suspend(12 * HOUR_MS - 1);
        assert.equal(await isSignedIn(ada), true);
        api.clock.suspend(12 * HOUR_MS);
        assert.equal(await isSignedIn(ada), false);
        await ada.signIn(ADA);
        for (let hours = 0; hours < 7 * 24 - 6; hours += 6) {
          api.clock.suspend(6 * HOUR_MS);
          assert.equal(await isSignedIn(ada), true, `${hours}`);
        }
        api.clock.suspend(6 * HOUR_MS);
        assert.equal(await isSignedIn(ada), false);
      });

      it("ends when the user is disabled or deleted, and applies a new role immediately", async () => {
        assert.equal((await ada.api("GET", "/api/groups")).status, 403);
        await api.call("PATCH", `/api/users?email=${ADA}`, { role: "auditor" });
        assert.equal((await ada.api("GET", "/api/groups")).status, 200);
        for (const disabled of [true, false]) {
          await api.call("PATCH", `/api/users?email=${ADA}`, { disabled });
          assert.equal(await isSignedIn(ada), false);
        }
        await ada.signIn(ADA);
        await api.call("DELETE", `/api/users?email=${ADA}`);
        assert.equal(await isSignedIn(ada), false);
      });

      it("ends on sign-out, in this browser or everywhere", async () => {
        const other = new Browser(api.service);
        await other.signIn(ADA);
        const out = await ada.submit("/sign-out", { csrf_token: await ada.csrfToken() });
        assert.deepEqual(
          [out.status, out.headers.location, ada.cookies.has("gatehouse-8080")],
          [303, "./sign-in", false],
        );
        assert.equal(await isSignedIn(other), true);
        await ada.signIn(ADA);
        await ada.submit("/sign-out", { everywhere: "true", csrf_token: await ada.csrfToken() });
        assert.equal(await isSignedIn(other), false);
      });

      it("is stored as a hash, and the audit records its IP address", async () => {
        const [row] = await api.auditOf(() => ada.signIn(ADA));
        const audited = [row?.operation, row?.actor_kind, row?.actor_name, row?.ip];
        assert.deepEqual(audited, ["signIn", "user", ADA, "127.0.0.1"]);
        const token = String(ada.cookies.get("gatehouse-8080"));
        assert.equal(JSON.stringify(await api.everything()).includes(token), false);
      });
    });

    it("redirects to the requested page, but not to other sites", async () => {
      const asked = await new Browser(api.service).get("/account?x=1");
      assert.deepEqual([asked.status, asked.headers.location], [303, "./sign-in?return_to=%2Faccount%3Fx%3D1"]);
      for (const [returnTo, location] of [
        ["/account?x=1", "./account?x=1"],
        ["/connect/github", "./connect/github"],
        ["//evil.example.com", "./"],
        ["/\\evil.example.com", "./"],
        ["https://evil.example.com/", "./"],
        ["javascript:alert(1)", "./"],
        ["/mcp-servers?status=draft", "./mcp-servers?status=draft"],
      ]) {
        const browser = new Browser(api.service);
        await browser.get(`/sign-in?return_to=${encodeURIComponent(String(returnTo))}`);
        const answer = await browser.submit("/sign-in", { email: ADA, password: GOOD_PASSWORD });
        assert.deepEqual([answer.status, answer.headers.location], [303, location], returnTo);
      }
    });

    it("rejects forged forms with 403 (WEB-6)", async () => {
      const attempt = async (browser: Browser, fields: object, headers = {}) =>
        (await browser.submit("/sign-in", { email: ADA, password: GOOD_PASSWORD, ...fields }, headers)).status;
      assert.equal(await attempt(new Browser(api.service), {}), 403);
      const browser = new Browser(api.service);
      await browser.get("/sign-in");
      assert.equal(await attempt(browser, { csrf_token: "x" }), 403);
      await browser.get("/sign-in");
      assert.equal(await attempt(browser, {}, { "sec-fetch-site": "cross-site" }), 403);
      await browser.get("/sign-in");
      assert.equal(await attempt(browser, {}, { origin: "https://evil.example.com" }), 403);
      await browser.get("/sign-in");
      assert.equal(await attempt(browser, {}, { "sec-fetch-site": "same-origin" }), 303);
      assert.equal((await ada.submit("/sign-out", {})).status, 403);
      assert.equal(await isSignedIn(ada), true);
    });

    it("sends every page with a strict policy and escaped text (WEB-1, WEB-2)", async () => {
      const evil = `"><script>alert(1)</script>`;
      const browser = new Browser(api.service);
      for (const path of ["/sign-in", "/setup-link", "/invite"]) {
        const page = await browser.get(`${path}?return_to=${encodeURIComponent(evil)}`);
        const answer = await browser.submit(path, { email: evil, name: evil, code: evil, password: evil });
        for (const { text, headers } of [page, answer]) {
          assert.equal(text.includes("<script>"), false, path);
          assert.match(String(headers["content-security-policy"]), /^default-src 'none'; .*frame-ancestors 'none'$/);
          assert.equal(headers["cache-control"], "no-store");
          assert.equal(headers["x-content-type-options"], "nosniff");
        }
      }
      for (const [file, type] of [
        ["page.css", "text/css; charset=utf-8"],
        ["page.js", "text/javascript; charset=utf-8"],
      ]) {
        const answer = await api.service.http(`/pages/${file}`);
        assert.deepEqual([answer.status, answer.headers["content-type"]], [200, type]);
      }
    });

    it("accepts only forms of limited size", async () => {
      const json = { "content-type": "application/json" };
      assert.equal((await api.service.http("/sign-in", { method: "POST", headers: json, body: "{}" })).status, 415);
      const form = { "content-type": "application/x-www-form-urlencoded" };
      const long = { method: "POST", headers: form, body: "a".repeat(20_000) };
      assert.equal((await api.service.http("/sign-in", long)).status, 413);
    });

    describe("by invitation", () => {
      it("sets the password and keeps the assigned role, once", async () => {
        await createPerson(api.service, "Bob", "bob@example.com");
        await api.call("PATCH", "/api/users?email=bob@example.com", { role: "auditor" });
        const link = await invite(api.service, "bob@example.com");
        const bob = new Browser(api.service);
        assert.equal((await bob.accept(link)).status, 303);
        assert.equal((await bob.api("GET", "/api/me")).body.data.role, "auditor");
        assert.equal((await new Browser(api.service).accept(link)).status, 410);
        assert.equal((await signIn("bob@example.com", GOOD_PASSWORD)).status, 303);
      });

      it("replaces the password and ends every session", async () => {
        const link = await invite(api.service, ADA);
        const again = new Browser(api.service);
        assert.equal((await again.accept(link, "quite-another-9-password-xyz")).status, 303);
        assert.deepEqual([await isSignedIn(ada), await isSignedIn(again)], [false, true]);
        assert.equal((await signIn(ADA, GOOD_PASSWORD)).status, 401);
      });

      it("returns 410 for a disabled user, and 400 for a weak password without using up the link", async () => {
        const link = await invite(api.service, ADA);
        assert.equal((await new Browser(api.service).accept(link, "ada-example-2026")).status, 400);
        await api.db.updateTable("users").set({ disabled: true }).where("email", "=", ADA).execute();
        assert.equal((await new Browser(api.service).accept(link)).status, 410);
        await api.db.updateTable("users").set({ disabled: false }).where("email", "=", ADA).execute();
        assert.equal((await new Browser(api.service).accept(link)).status, 303);
      });
    });

    describe("a new password", () => {
      const change = (current_password: string, new_password: string) =>
        ada.api("POST", "/api/me/password", { current_password, new_password });

      it("requires the current one, ends all other sessions, and takes effect immediately", async () => {
        const other = new Browser(api.service);
        await other.signIn(ADA);
        const next = "quite-another-9-password-xyz";
        assert.equal((await change("wrong", next)).status, 400);
        assert.equal((await change(GOOD_PASSWORD, "short")).status, 400);
        assert.equal(await isSignedIn(other), true);
        assert.equal((await change(GOOD_PASSWORD, next)).status, 200);
        assert.deepEqual([await isSignedIn(ada), await isSignedIn(other)], [true, false]);
        assert.deepEqual([(await signIn(ADA, GOOD_PASSWORD)).status, (await signIn(ADA, next)).status], [401, 303]);
      });
    });
  },
  { clock: "by-hand" },
);
