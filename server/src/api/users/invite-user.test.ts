import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { acceptInvitation, findInvitation } from "#records/invitations";
import { bearer, forEachApi } from "#test/api";
import { createMachineUser, createPerson } from "#test/factories";

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

forEachApi(
  "POST /api/users/invite",
  (api) => {
    const path = (email: string) => `/api/users/invite?email=${encodeURIComponent(email)}`;
    const tokenOf = (url: string) => url.split("#")[1] ?? "";
    const invite = async (email: string) => {
      const answer = await api.call("POST", path(email));
      assert.equal(answer.status, 201, answer.text);
      return tokenOf(answer.body.invite_url);
    };
    const invited = async (token: string) => (await findInvitation(api.db, token, api.clock.now()))?.userId;
    let ada = "";
    before(async () => {
      ada = await createPerson(api.service, "Ada", "Ada@Example.com");
    });

    describe("201", () => {
      it("returns the invitation and, once, a link whose token stays in the browser", async () => {
        const { status, body } = await api.call("POST", path("ada@example.com"));
        const created_at = new Date(api.clock.now()).toISOString();
        const expires_at = new Date(api.clock.now() + WEEK_MS).toISOString();
        assert.deepEqual(
          [status, body.data],
          [
            201,
            {
              user_id: ada,
              email: "Ada@Example.com",
              created_by: "Bootstrap token",
              resets_account: false,
              emailed_to: null,
              created_at,
              expires_at,
            },
          ],
        );
        assert.match(body.invite_url, /^http:\/\/127\.0\.0\.1:8080\/invite#gh_iv_[0-9A-Za-z]+$/);
        assert.equal(await invited(tokenOf(body.invite_url)), ada);
        assert.equal(JSON.stringify(await api.everything()).includes(tokenOf(body.invite_url)), false);
      });

      it("revokes the previous invitation, also for ten concurrent requests", async () => {
        const first = await invite("ada@example.com");
        const later = await Promise.all(Array.from({ length: 10 }, () => invite("ada@example.com")));
        const valid = (await Promise.all([first, ...later].map(invited))).filter((userId) => userId !== undefined);
        assert.deepEqual([await invited(first), valid], [undefined, [ada]]);
      });

      it("repeats an idempotent request without a new invitation and without the link (D34)", async () => {
        const headers = { "idempotency-key": "invite-once" };
        const first = await api.call("POST", path("ada@example.com"), undefined, headers);
        const again = await api.call("POST", path("ada@example.com"), undefined, headers);
        assert.deepEqual([again.status, again.body], [201, { data: first.body.data }]);
        assert.equal(await invited(tokenOf(first.body.invite_url)), ada);
      });

      it("invites a person again after they accepted", async () => {
        const token = await invite("ada@example.com");
        const now = api.clock.now();
        const accepted = await api.db.transaction().execute((tx) => acceptInvitation(tx, token, now));
        assert.equal(accepted?.userId, ada);
        assert.equal(await invited(await invite("ada@example.com")), ada);
      });
    });

    it("disabling or deleting the person revokes the invitation", async () => {
      await createPerson(api.service, "Bob", "bob@example.com");
      const disabled = await invite("bob@example.com");
      for (const off of [true, false]) {
        await api.call("PATCH", "/api/users?email=bob@example.com", { disabled: off });
        assert.equal(await invited(disabled), undefined);
      }
      const deleted = await invite("bob@example.com");
      await api.call("PATCH", "/api/users?email=bob@example.com", { name: "Robert", disabled: false });
      assert.notEqual(await invited(deleted), undefined);
      await api.call("DELETE", "/api/users?email=bob@example.com");
      assert.equal(await invited(deleted), undefined);
    });

    it("requires the scope all for an admin's link (decision 0009)", async () => {
      await createPerson(api.service, "Root", "root@example.com");
      await api.call("PATCH", "/api/users?email=root@example.com", { role: "admin" });
      const { token } = await api.tokenWith("admin:write");
      const asWriter = (email: string) => api.call("POST", path(email), undefined, bearer(token));
      const refused = await asWriter("root@example.com");
      assert.deepEqual([refused.status, refused.body], [403, { error: "Insufficient permissions: requires all" }]);
      assert.equal((await asWriter("ada@example.com")).status, 201);
      assert.notEqual(await invited(await invite("root@example.com")), undefined);
    });

    it("revokes an existing link when the person becomes an admin, because it needed fewer scopes", async () => {
      await createPerson(api.service, "Eve", "eve@example.com");
      const before = await invite("eve@example.com");
      await api.call("PATCH", "/api/users?email=eve@example.com", { role: "admin" });
      assert.equal(await invited(before), undefined);
      const after = await invite("eve@example.com");
      await api.call("PATCH", "/api/users?email=eve@example.com", { role: "admin", name: "Eva" });
      assert.notEqual(await invited(after), undefined);
    });

    it("400 for a machine user and a disabled person, 404 for an unknown email", async () => {
      const bot = await createMachineUser(api.service, "bot");
      await createPerson(api.service, "Off", "off@example.com");
      await api.call("PATCH", "/api/users?email=off@example.com", { disabled: true });
      await api.invalid(`email: not a person: ${bot.email}`, "POST", path(bot.email));
      await api.invalid("email: user is disabled: OFF@example.com", "POST", path("OFF@example.com"));
      await api.invalid("email query parameter is required", "POST", "/api/users/invite");
      await api.expect(404, { error: "User not found: No@Body.com" }, "POST", path("No@Body.com"));
    });
  },
  { clock: "by-hand" },
);
