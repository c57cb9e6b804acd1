import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { GOOD_PASSWORD } from "#test/passwords";

const ADA = "ada@example.com";
const NEXT = "quite-another-9-password-xyz";

forEachApi(
  "/api/me of a person",
  (api) => {
    let ada: Browser;
    const sessions = async (browser: Browser) => (await browser.api("GET", "/api/me/sessions")).body.data;
    const isSignedIn = async (browser: Browser) => (await browser.api("GET", "/api/me")).status === 200;
    beforeEach(async () => {
      await api.db.deleteFrom("users").execute();
      await api.db.deleteFrom("sign_in_attempts").execute();
      ada = await signedInAs(api.service, "member", ADA);
    });

    it("GET /api/me returns the person and the CSRF token", async () => {
      const { data, organization } = (await ada.api("GET", "/api/me")).body;
      const { id, web_session_id, csrf_token, ...rest } = data;
      const at = new Date(api.clock.now()).toISOString();
      const expires_at = new Date(api.clock.now() + 7 * 24 * 3_600_000).toISOString();
      const times = { created_at: at, last_used_at: at, authenticated_at: at, expires_at };
      const proofs = { scopes: [], sign_in_methods: ["password"], account_resets: [] };
      assert.deepEqual(rest, { type: "user", name: "member", email: ADA, role: "member", ...proofs, ...times });
      assert.match(`${id} ${web_session_id} ${csrf_token}`, /^usr_\w+ ses_\w+ [\w-]{43}$/);
      assert.equal(organization.name, "Test");
    });

    it("GET /api/me/sessions lists the caller's sessions, newest first", async () => {
      await signedInAs(api.service, "owner", "other@example.com");
      api.clock.advance(1_000);
      const second = new Browser(api.service);
      await second.get("/sign-in");
      await second.submit("/sign-in", { email: ADA, password: GOOD_PASSWORD }, { "user-agent": "<Fox>" });
      const rows = await sessions(ada);
      assert.deepEqual(
        rows.map((row: Record<string, unknown>) => [row.method, row.current, row.user_agent, row.address]),
        [
          ["password", false, "<Fox>", "127.0.0.1"],
          ["invitation", true, "", "127.0.0.1"],
        ],
      );
    });

    describe("DELETE /api/me/sessions", () => {
      it("200 ends one session, or all", async () => {
        const second = new Browser(api.service);
        api.clock.advance(1);
        await second.signIn(ADA);
        const [newest] = await sessions(ada);
        const path = `/api/me/sessions?id=${newest.id}`;
        const [row] = await api.auditOf(async () => {
          assert.deepEqual((await ada.api("DELETE", path)).body, { message: "Signed out successfully" });
        });
        assert.deepEqual([row?.operation, row?.before], ["endMySessions", { web_session_id: newest.id }]);
        assert.deepEqual([await isSignedIn(second), await isSignedIn(ada)], [false, true]);
        await second.signIn(ADA);
        assert.equal((await ada.api("DELETE", "/api/me/sessions")).status, 200);
        assert.deepEqual([await isSignedIn(second), await isSignedIn(ada)], [false, false]);
      });

      it("404 for another person's session, which stays valid (AZ-3)", async () => {
        const other = await signedInAs(api.service, "owner", "other@example.com");
        const [theirs] = await sessions(other);
        const answer = await ada.api("DELETE", `/api/me/sessions?id=${theirs.id}`);
        assert.deepEqual([answer.status, answer.body], [404, { error: "Session not found" }]);
        assert.equal(await isSignedIn(other), true);
      });
    });

    it("keeps the newest fifty sessions, and revokes the tokens of older ones", async () => {
      const { token } = (await ada.api("POST", "/api/me/playground-token")).body;
      const reaches = async () => (await api.service.mcp(token, { jsonrpc: "2.0", id: 1, method: "ping" })).status;
      assert.equal(await reaches(), 200);
      for (let n = 0; n < 51; n++) {
        await new Browser(api.service).signIn(ADA);
        api.clock.advance(1);
      }
      assert.deepEqual([await isSignedIn(ada), await reaches()], [false, 401]);
      const last = new Browser(api.service);
      await last.signIn(ADA);
      assert.equal((await sessions(last)).length, 50);
    });

    describe("POST /api/me/password", () => {
      const change = (current_password: unknown, new_password: unknown) =>
        ada.api("POST", "/api/me/password", { current_password, new_password });

      it("200 with the current password, ends other sessions, and stores no plain password", async () => {
        const second = new Browser(api.service);
        await second.signIn(ADA);
        const [row] = await api.auditOf(async () => {
          assert.deepEqual((await change(GOOD_PASSWORD, NEXT)).body, { message: "Password changed successfully" });
        });
        assert.deepEqual(
          [row?.operation, row?.after],
          ["changeMyPassword", { ended_web_sessions: 1, ended_clients: 0 }],
        );
        assert.deepEqual([await isSignedIn(second), await isSignedIn(ada)], [false, true]);
        assert.equal((await second.signIn(ADA, NEXT)).status, 303);
        assert.equal(JSON.stringify(await api.everything()).includes(NEXT), false);
      });

      it("400 for invalid passwords, with delays after ten", async () => {
        const refused = async (message: string, ...given: [unknown, unknown]) => {
          const answer = await change(...given);
          assert.deepEqual([answer.status, answer.body], [400, { code: "INVALID_FORMAT", message }]);
          return answer;
        };
        await refused("new_password: must have at least 12 characters", GOOD_PASSWORD, "short");
        await refused("new_password: is too easy to guess", GOOD_PASSWORD, "ada@example.com");
        await refused("current_password: current_password is required", undefined, NEXT);
        for (let n = 0; n < 10; n++) await refused("current_password: is incorrect", "wrong", NEXT);
        const wait = "current_password: too many attempts, try again in 1 seconds";
        assert.equal((await refused(wait, GOOD_PASSWORD, NEXT)).headers["retry-after"], "1");
        await api.db.deleteFrom("passwords").execute();
        await refused("current_password: you have no password to change", GOOD_PASSWORD, NEXT);
      });
    });
  },
  { clock: "by-hand" },
);
