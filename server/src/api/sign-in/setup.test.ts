import assert from "node:assert/strict";
import { beforeEach, it } from "node:test";
import { breakGlass } from "#identity/set-up";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createMachineUser, createPerson } from "#test/factories";
import { GOOD_PASSWORD } from "#test/passwords";

const HOUR_MS = 60 * 60 * 1000;

forEachApi(
  "the setup link (AUTH-11)",
  (api) => {
    const context = () => ({
      databases: api.database.databases,
      clock: api.clock,
      random: systemRandom,
      newId: createIds(api.clock, systemRandom),
      waitUntilPublished: async () => {},
    });
    const become = async (code: string, owner: { name?: string; email?: string; password?: string } = {}) => {
      const browser = new Browser(api.service);
      await browser.get("/setup-link");
      const fields = { code, name: "Ada", email: "ada@example.com", password: GOOD_PASSWORD, ...owner };
      return { browser, answer: await browser.submit("/setup-link", fields) };
    };
    const owners = () => api.db.selectFrom("users").select("email").where("role", "=", "owner").execute();
    const given = () => String(api.service.setupToken);
    beforeEach(async () => {
      await api.db.deleteFrom("users").execute();
      await api.db.updateTable("setup_links").set({ used_at: null }).execute();
    });

    it("creates the first owner, signs them in, and returns 410 afterwards", async () => {
      const { browser, answer } = await become(given());
      assert.deepEqual([answer.status, answer.headers.location], [303, "./"]);
      const me = (await browser.api("GET", "/api/me")).body.data;
      assert.deepEqual([me.type, me.role, me.email, me.scopes], ["user", "owner", "ada@example.com", ["all"]]);
      const again = await become(given(), { email: "eve@example.com" });
      assert.deepEqual([again.answer.status, again.browser.cookies.has("gatehouse-8080")], [410, false]);
      assert.deepEqual(await owners(), [{ email: "ada@example.com" }]);
      assert.equal((await new Browser(api.service).signIn("ADA@example.com")).status, 303);
    });

    it("accepts the whole link, as pasted without scripts", async () => {
      assert.equal((await become(`http://127.0.0.1:8080/setup-link#${given()}`)).answer.status, 303);
    });

    it("creates one owner from twenty concurrent requests", async () => {
      const people = Array.from({ length: 20 }, (_, n) => become(given(), { email: `p${n}@example.com` }));
      const statuses = (await Promise.all(people)).map(({ answer }) => answer.status);
      assert.deepEqual(statuses.sort(), [303, ...Array.from({ length: 19 }, () => 410)]);
      assert.equal((await owners()).length, 1);
    });

    it("returns 410 for an invalid code, and 400 without using up the link for an invalid password, name, or email", async () => {
      assert.equal((await become("gh_su_x")).answer.status, 410);
      for (const wrong of [{ password: "short" }, { name: " " }, { email: "ada" }]) {
        const { answer } = await become(given(), wrong);
        assert.equal(answer.status, 400);
        assert.match(answer.text, /role="alert"/);
        assert.equal(answer.text.includes(GOOD_PASSWORD), false);
      }
      const bot = await createMachineUser(api.service, "bot");
      assert.equal((await become(given(), { email: bot.email })).answer.status, 400);
      assert.equal((await become(given())).answer.status, 303);
    });

    it("created by the operator's command makes a disabled user an owner, even if an owner exists", async () => {
      await become(given());
      await createPerson(api.service, "Bob", "bob@example.com");
      await api.call("PATCH", "/api/users?email=bob@example.com", { disabled: true });
      const token = await breakGlass(context());
      const { browser, answer } = await become(token, { email: "Bob@example.com" });
      assert.equal(answer.status, 303);
      assert.equal((await browser.api("GET", "/api/me")).body.data.role, "owner");
      assert.equal((await owners()).length, 2);
      assert.equal((await become(token, { email: "eve@example.com" })).answer.status, 410);
    });

    it("is stored in no table or audit entry, and the audit names the person", async () => {
      const rows = await api.auditOf(() => become(given()));
      assert.deepEqual(rows.map((row) => [row.operation, row.actor_kind, row.actor_name]).sort(), [
        ["setUpOwner", "user", "ada@example.com"],
        ["signIn", "user", "ada@example.com"],
      ]);
      const everything = JSON.stringify(await api.everything());
      for (const secret of [given(), GOOD_PASSWORD]) assert.equal(everything.includes(secret), false);
    });

    it("is explained on the sign-in page until there is an owner, without revealing it", async () => {
      const page = async () => (await new Browser(api.service).get("/sign-in")).text;
      const empty = await page();
      assert.match(empty, /no owner yet[\s\S]*gatehouse owner-link/);
      assert.deepEqual([empty.includes("<form"), empty.includes(given())], [false, false]);
      const member = await signedInAs(api.service, "member");
      assert.match(await page(), /no owner yet[\s\S]*<form/);
      assert.equal((await member.api("GET", "/api/me")).status, 200);
      await become(given());
      assert.doesNotMatch(await page(), /no owner|owner-link/);
    });

    it("expires after an hour", async () => {
      api.clock.advance(HOUR_MS - 1);
      assert.equal((await become(given(), { name: "" })).answer.status, 400);
      api.clock.advance(1);
      assert.equal((await become(given())).answer.status, 410);
      assert.deepEqual(await owners(), []);
    });
  },
  { clock: "by-hand" },
);
