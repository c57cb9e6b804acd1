import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createGroup, createSyncedServer } from "#test/factories";
import { type RawUpstream, startRawUpstream } from "#test/upstreams/raw";

const ADA = "ada@example.com";
const MINUTE_MS = 60_000;
const CALL = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "echo__echo", arguments: { a: 1 } } };

forEachApi(
  "POST /api/me/playground-token",
  (api) => {
    let upstream: RawUpstream;
    let ada: Browser;
    before(async () => {
      upstream = await startRawUpstream();
      await createSyncedServer(api.service, "Echo", upstream.url);
      await createGroup(api.service, "people", { slugs: ["echo"] });
    });
    after(() => upstream?.close());
    beforeEach(async () => {
      await api.db.deleteFrom("users").execute();
      ada = await signedInAs(api.service, "member", ADA);
      await api.call("POST", "/api/groups/people/users", { emails: [ADA] });
    });
    const make = async (browser = ada): Promise<{ token: string; expires_at: string }> => {
      const answer = await browser.api("POST", "/api/me/playground-token");
      assert.equal(answer.status, 201, answer.text);
      return answer.body;
    };
    const status = async (token: string) => (await api.service.mcp(token, CALL)).status;

    it("201 with a token that calls as the person, marked in the logs", async () => {
      const { token, expires_at } = await make();
      assert.match(token, /^gh_ap_/);
      assert.equal(Date.parse(expires_at), api.clock.now() + 5 * MINUTE_MS);
      const answer = await api.service.mcp(token, CALL);
      assert.ok(answer.body.result, answer.text);
      const [row] = (await api.call("GET", "/api/logs?limit=1")).body.data;
      assert.deepEqual([row.user_email, row.via, row.tool], [ADA, "app", "echo"]);
    });

    it("expires after five minutes, or earlier with the web session", async () => {
      const { token } = await make();
      api.clock.advance(5 * MINUTE_MS - 1);
      assert.equal(await status(token), 200);
      api.clock.advance(1);
      assert.equal(await status(token), 401);
      const { data } = (await ada.api("GET", "/api/me")).body;
      await api.db
        .updateTable("web_sessions")
        .set({ expires_at: api.clock.now() + MINUTE_MS })
        .where("id", "=", data.web_session_id)
        .execute();
      assert.equal(Date.parse((await make()).expires_at), api.clock.now() + MINUTE_MS);
    });

    it("ends with its web session, and not with others", async () => {
      for (const end of [
        async () => {
          await ada.submit("/sign-out", { csrf_token: await ada.csrfToken() });
        },
        async () => {
          const { data } = (await ada.api("GET", "/api/me")).body;
          await ada.api("DELETE", `/api/me/sessions?id=${data.web_session_id}`);
        },
        () => ada.signIn(ADA),
      ]) {
        const elsewhere = new Browser(api.service);
        await elsewhere.signIn(ADA);
        const [mine, other] = [await make(), await make(elsewhere)];
        await end();
        assert.deepEqual([await status(mine.token), await status(other.token)], [401, 200]);
        ada = elsewhere;
      }
      const { token } = await make();
      await api.call("PATCH", `/api/users?email=${ADA}`, { disabled: true });
      assert.equal(await status(token), 401);
      await api.call("PATCH", `/api/users?email=${ADA}`, { disabled: false });
      assert.equal(await status(token), 401);
    });

    it("does not outlive a web session that ends concurrently", async () => {
      const headers = { cookie: ada.cookie, "x-csrf-token": await ada.csrfToken() };
      const making = () => api.service.http("/api/me/playground-token", { method: "POST", headers });
      const before = Array.from({ length: 4 }, making);
      const ended = api.service.http("/api/me/sessions", { method: "DELETE", headers });
      const answers = await Promise.all([...before, ...Array.from({ length: 4 }, making)]);
      await ended;
      for (const { status: answered, body } of answers) {
        assert.ok(answered === 201 || answered === 401, String(answered));
        if (answered === 201) assert.equal(await status(body.token), 401);
      }
    });

    it("keeps the newest twenty tokens per web session", async () => {
      const tokens: string[] = [];
      for (let n = 0; n < 21; n++) {
        tokens.push((await make()).token);
        api.clock.advance(1);
      }
      assert.deepEqual(await Promise.all(tokens.slice(0, 3).map(status)), [401, 200, 200]);
      assert.equal(await status(tokens.at(-1) ?? ""), 200);
    });

    it("403 without a CSRF token, and the token is neither stored nor accepted by the API (WEB-6, AUTH-3)", async () => {
      const bare = await api.service.http("/api/me/playground-token", {
        method: "POST",
        headers: { cookie: ada.cookie },
      });
      assert.equal(bare.status, 403);
      let token = "";
      const rows = await api.auditOf(async () => {
        token = (await make()).token;
      });
      assert.deepEqual(rows, []);
      assert.equal(JSON.stringify(await api.everything()).includes(token), false);
      assert.equal((await api.service.http("/api/me", { headers: { authorization: `Bearer ${token}` } })).status, 401);
    });
  },
  { clock: "by-hand" },
);
