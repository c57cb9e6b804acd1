import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createServer } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";

const ADA = "ada@example.com";
const BASE = "http://127.0.0.1:8080";
const MINUTE_MS = 60_000;

forEachApi(
  "connect pages",
  (api) => {
    let customer: Customer;
    let sound: Customer["behaviour"];
    let ada: Browser;
    let bot: Awaited<ReturnType<typeof createMachineUser>>;
    before(async () => {
      customer = await startCustomer();
      sound = { ...customer.behaviour };
      const { service } = api;
      ada = await signedInAs(service, "member", ADA);
      bot = await createMachineUser(service, "bot");
      await createServer(service, "Wiki", customer.url, { auth_settings: { authType: "proxy-oauth" } });
      const howtoMarkdown = "Open [keys](https://keys.example/new) <script>x</script>";
      await createServer(service, "Keys", customer.url, {
        auth_settings: { authType: "proxy-api-key", howtoMarkdown },
      });
      // Discard: nothing listens there.
      await createServer(service, "Away", "http://127.0.0.1:9/mcp", { auth_settings: { authType: "proxy-api-key" } });
      await createServer(service, "Open", customer.url);
      await createServer(service, "Secret", customer.url, { auth_settings: { authType: "proxy-oauth" } });
      await createGroup(service, "All", { slugs: ["wiki", "keys", "away", "open"], emails: [ADA, bot.email] });
    });
    beforeEach(() => {
      Object.assign(customer.behaviour, sound, { instead: {}, resources: {} });
      customer.seen.length = 0;
    });
    after(() => customer.close());

    const pathOf = (url: string) => url.slice(BASE.length);
    const authUrl = (email: string, mcp: string) =>
      api.call("GET", `/api/user/auth-url?email=${encodeURIComponent(email)}&mcp=${mcp}`);
    const link = async (email = ADA) => {
      const answer = await authUrl(email, "wiki");
      assert.equal(answer.status, 200, answer.text);
      return pathOf(answer.body.data.url);
    };
    const connections = () =>
      api.db
        .selectFrom("connections")
        .innerJoin("users", "users.id", "connections.user_id")
        .innerJoin("mcp_servers", "mcp_servers.id", "connections.server_id")
        .select(["users.email", "mcp_servers.slug", "connections.state"])
        .execute();
    const disconnectAll = () => api.db.deleteFrom("connections").execute();

    describe("GET /api/user/auth-url", () => {
      it("starts the flow in one browser without a sign-in here, and ends on a result page", async () => {
        const browser = new Browser(api.service);
        const left = await browser.get(await link());
        assert.equal(left.status, 302, left.text);
        assert.match(
          [left.headers["set-cookie"]].flat().join(),
          /gatehouse-connect-8080=\w{43}; Path=\/; HttpOnly; SameSite=Lax/,
        );
        const back = await customer.agree(left.headers.location ?? "");
        assert.match(back, new RegExp(`^${BASE}/oauth/callback/srv_\\w+\\?`));
        const page = await browser.get(pathOf(back));
        assert.equal(page.status, 200);
        assert.match(page.text, /Wiki is connected for ada@example\.com/);
        assert.match(String(page.headers["content-security-policy"]), /default-src 'none'.*frame-ancestors 'none'/);
        assert.deepEqual(await connections(), [{ email: ADA, slug: "wiki", state: "connected" }]);
        assert.equal((await browser.get(pathOf(back))).status, 400, "the answer is good once");
        await disconnectAll();
      });

      it("is valid once and for ten minutes; a prefetch does not use it", async () => {
        const path = await link();
        const prefetch = await api.service.http(path, { headers: { "sec-purpose": "prefetch" } });
        assert.equal(prefetch.status, 204);
        assert.equal((await api.service.http(path)).status, 302);
        const again = await api.service.http(path);
        assert.deepEqual([again.status, /has expired/.test(again.text)], [410, true]);
        const late = await link();
        api.clock.advance(10 * MINUTE_MS);
        assert.equal((await api.service.http(late)).status, 410);
        assert.equal((await api.service.http(`${late}x`)).status, 410);
      });

      it("rejects visitors who are signed in as another user, and stays valid", async () => {
        const eve = await signedInAs(api.service, "member", "eve@example.com");
        const sent = await link();
        const answer = await eve.get(sent);
        assert.deepEqual([answer.status, answer.headers.location], [403, undefined]);
        assert.match(answer.text, /connects ada@example\.com, but you are signed in as eve@example\.com/);
        assert.equal((await ada.get(sent)).status, 302, "her own");
        assert.equal((await ada.get(sent)).status, 410);
        assert.equal((await ada.get(await link(bot.email))).status, 403);
        const { id } = (await ada.api("GET", "/api/me")).body.data;
        await api.call("PATCH", `/api/users?email=${bot.email}`, { owner_ids: [id] });
        assert.equal((await ada.get(await link(bot.email))).status, 302, "of a machine user that she owns");
        await api.call("PATCH", `/api/users?email=${bot.email}`, { owner_ids: [] });
      });

      it("is stored as a hash only, and audited without the link", async () => {
        let path = "";
        const rows = await api.auditOf(async () => {
          path = await link(bot.email);
        });
        assert.deepEqual(
          rows.map(({ operation, target_name, after }) => [operation, target_name, after]),
          [["getUserAuthUrl", bot.email, { mcp: "wiki" }]],
        );
        assert.ok(!JSON.stringify(await api.everything()).includes(path.split("/").at(-1) ?? "?"));
      });

      it("400 · 403 · 404", async () => {
        await api.invalid("email query parameter is required", "GET", "/api/user/auth-url?mcp=wiki");
        await api.invalid("mcp query parameter is required", "GET", `/api/user/auth-url?email=${ADA}`);
        await api.invalid(
          "mcp: MCP server does not use proxy-oauth",
          "GET",
          `/api/user/auth-url?email=${ADA}&mcp=open`,
        );
        const { token } = await api.tokenWith("connect:read", "admin:write");
        const path = `/api/user/auth-url?email=${ADA}&mcp=wiki`;
        assert.equal((await api.call("GET", path, undefined, bearer(token))).status, 403);
        const unknown = await authUrl("unknown@example.com", "wiki");
        assert.deepEqual([unknown.status, unknown.body], [404, { error: "User not found: unknown@example.com" }]);
        for (const slug of ["none", "secret"]) {
          const answer = await authUrl(ADA, slug);
          assert.deepEqual([answer.status, answer.body], [404, { error: "MCP server not found" }], slug);
        }
      });
    });

    describe("/oauth/callback", () => {
      it("400 without a state or with one of another browser; requests no token (OA-1)", async () => {
        for (const query of ["", "?state=", "?code=x", "?state=x&code=y", "?state=a&state=b&code=c"]) {
          const answer = await api.service.http(`/oauth/callback${query}`);
          assert.deepEqual([answer.status, /Not connected/.test(answer.text)], [400, true], query);
        }
        const left = await api.service.http(await link());
        const back = pathOf(await customer.agree(left.headers.location ?? ""));
        assert.equal((await new Browser(api.service).get(back)).status, 400);
        assert.equal(customer.to("/token").length, 0);
        assert.deepEqual(await connections(), []);
      });

      it("shows errors as text, and redirects nowhere (OA-9)", async () => {
        const browser = new Browser(api.service);
        const left = await browser.get(await link());
        const asked = new URL(left.headers.location ?? "").searchParams;
        const back = pathOf(asked.get("redirect_uri") ?? "");
        const said = encodeURIComponent("<script>alert(1)</script>");
        const evil = "return_to=//evil.example&redirect=https:evil.example&next=/%5Cevil.example";
        const answer = await browser.get(
          `${back}?state=${asked.get("state")}&error=x&error_description=${said}&${evil}`,
        );
        assert.deepEqual([answer.status, answer.headers.location], [400, undefined]);
        assert.match(answer.text, /rejected the sign-in: x &lt;script&gt;/);
        assert.doesNotMatch(answer.text, /<script>alert|evil\.example/);
      });
    });

    describe("/connect/{slug}", () => {
      it("requires a sign-in first, and returns", async () => {
        const answer = await new Browser(api.service).get("/connect/wiki");
        assert.deepEqual([answer.status, answer.headers.location], [303, "../sign-in?return_to=%2Fconnect%2Fwiki"]);
        const headers = { "content-type": "application/x-www-form-urlencoded" };
        const form = await api.service.http("/connect/wiki", { method: "POST", headers, body: "token=x" });
        assert.deepEqual([form.status, form.headers.location], [303, "../sign-in?return_to=%2Fconnect%2Fwiki"]);
      });

      it("starts the sign-in for the visitor, only from its own pages", async () => {
        const page = await ada.get("/connect/wiki");
        assert.match(page.text, /Not connected[\s\S]*href="wiki\/start"/);
        const foreign = await ada.get("/connect/wiki/start", { "sec-fetch-site": "cross-site" });
        assert.equal(foreign.status, 403);
        const left = await ada.get("/connect/wiki/start", { "sec-fetch-site": "same-origin" });
        assert.equal(left.status, 302, left.text);
        const done = await ada.get(pathOf(await customer.agree(left.headers.location ?? "")));
        assert.equal(done.status, 200, done.text);
        assert.match((await ada.get("/connect/wiki")).text, /class="state good">Connected</);
        await disconnectAll();
      });

      it("lets an owner connect their machine users only", async () => {
        const start = `/connect/wiki/start?for=${encodeURIComponent(bot.email)}`;
        assert.equal((await ada.get(start)).status, 404);
        const { id } = (await ada.api("GET", "/api/me")).body.data;
        await api.call("PATCH", `/api/users?email=${bot.email}`, { owner_ids: [id] });
        assert.ok((await ada.get("/connect/wiki")).text.includes(`wiki/start?for=${encodeURIComponent(bot.email)}`));
        const left = await ada.get(start);
        await ada.get(pathOf(await customer.agree(left.headers.location ?? "")));
        assert.deepEqual(await connections(), [{ email: bot.email, slug: "wiki", state: "connected" }]);
        await disconnectAll();
        await api.call("PATCH", `/api/users?email=${bot.email}`, { owner_ids: [] });
      });

      it("revokes tokens at the server after a disconnect (OA-12)", async () => {
        customer.behaviour.metadata = (whole) => ({ ...whole, revocation_endpoint: `${customer.origin}/revoke` });
        const left = await ada.get("/connect/wiki/start");
        await ada.get(pathOf(await customer.agree(left.headers.location ?? "")));
        const answer = await api.call("DELETE", `/api/user/connection?email=${ADA}&mcp=wiki`);
        assert.equal(answer.status, 200, answer.text);
        while (customer.to("/revoke").length === 0) await new Promise((resolve) => setImmediate(resolve));
        assert.deepEqual(await connections(), []);
      });

      it("shows the status, and disconnects from the page", async () => {
        assert.match(
          (await ada.get("/connect/wiki")).text,
          /<h2>You<\/h2>[\s\S]*ada@example\.com[\s\S]*asks you to sign in/,
        );
        const left = await ada.get("/connect/wiki/start");
        await ada.get(pathOf(await customer.agree(left.headers.location ?? "")));
        await ada.get("/connect/wiki");
        assert.equal((await ada.submit("/connect/wiki", { act: "disconnect", csrf_token: "x" })).status, 403);
        await ada.get("/connect/wiki");
        const rows = await api.auditOf(async () => {
          const done = await ada.submit("/connect/wiki", { act: "disconnect" });
          assert.match(done.text, /role="status">ada@example\.com is disconnected from Wiki[\s\S]*Not connected</);
        });
        assert.deepEqual([rows[0]?.operation, await connections()], ["disconnect", []]);
      });

      it("404 for servers without access", async () => {
        for (const slug of ["secret", "none", "%00", "..%2fx"]) {
          assert.equal((await ada.get(`/connect/${slug}`)).status, 404, slug);
          assert.equal((await ada.get(`/connect/${slug}/start`)).status, 404, slug);
        }
      });

      it("shows OAuth Discovery Failed and the next step", async () => {
        customer.behaviour.metadata = () => ({ issuer: "https://evil.example" });
        const answer = await ada.get("/connect/wiki/start");
        assert.equal(answer.status, 400);
        assert.match(answer.text, /<h1>OAuth Discovery Failed<\/h1>[\s\S]*authorization_endpoint: expected string/);
        assert.match(answer.text, /ask your administrator/);
        for (const [help_contact, link] of [
          ["help@example.com", 'href="mailto:help@example.com"'],
          ["https://help.example.com/it", 'href="https://help.example.com/it"'],
        ]) {
          assert.equal((await api.call("PATCH", "/api/settings", { help_contact })).status, 200);
          assert.ok((await ada.get("/connect/wiki/start")).text.includes(link ?? "?"));
          assert.equal((await ada.api("GET", "/api/me")).body.organization.help_contact, help_contact);
        }
        const wrong = "help_contact: must be an email, or an http or https URL";
        await api.invalid(wrong, "PATCH", "/api/settings", { help_contact: "javascript:alert(1)" });
        await api.call("PATCH", "/api/settings", { help_contact: null });
        customer.behaviour.metadata = (whole) => ({
          ...whole,
          registration_endpoint: undefined,
          issuer: customer.origin,
        });
        assert.match((await ada.get("/connect/wiki/start")).text, /enter a client id under the advanced settings/);
      });

      it("stops waiting for a server whose response never ends (OA-10)", async () => {
        const path = "/.well-known/oauth-authorization-server";
        customer.behaviour.instead[path] = (response) => void response.writeHead(200).write("{");
        const waiting = ada.get("/connect/wiki/start");
        while (customer.to(path).length === 0) await new Promise((resolve) => setImmediate(resolve));
        api.clock.advance(10_000);
        const answer = await waiting;
        assert.equal(answer.status, 400);
        assert.match(answer.text, /OAuth Discovery Failed[\s\S]*did not respond within 10 s/);
      });

      it("saves a key from its form, next to inert instructions", async () => {
        const page = await ada.get("/connect/keys");
        assert.match(page.text, /<a href="https:\/\/keys\.example\/new"[^>]*>keys<\/a> &lt;script&gt;/);
        const bad = await ada.submit("/connect/keys", { key: "k\u00e9y" });
        assert.deepEqual([bad.status, /role="alert"/.test(bad.text)], [400, true]);
        const refused = await ada.submit("/connect/keys", { key: "canary-key" });
        assert.deepEqual([refused.status, /rejected this API key \(401\)/.test(refused.text)], [400, true]);
        assert.deepEqual(await connections(), []);
        customer.allowKey("canary-key");
        const done = await ada.submit("/connect/keys", { key: " canary-key " });
        assert.equal(done.status, 200, done.text);
        assert.deepEqual(await connections(), [{ email: ADA, slug: "keys", state: "connected" }]);
        assert.ok(!done.text.includes("canary-key") && !JSON.stringify(await api.everything()).includes("canary-key"));
        await ada.get("/connect/keys");
        assert.equal((await ada.submit("/connect/keys", { key: "x", csrf_token: "wrong" })).status, 403);
        assert.equal((await ada.submit("/connect/keys", { key: "x" }, { "sec-fetch-site": "cross-site" })).status, 403);
        await disconnectAll();
      });

      it("saves a key that could not be tested, and reports it", async () => {
        const page = await ada.get("/connect/away");
        assert.equal(page.status, 200);
        const done = await ada.submit("/connect/away", { key: "canary-key" });
        assert.deepEqual([done.status, /could not be tested: the server/.test(done.text)], [200, true]);
        await disconnectAll();
      });

      it("shows that a server needs no connection", async () => {
        assert.match((await ada.get("/connect/open")).text, /needs no connection/);
      });
    });

    it("serves the client metadata document of each server publicly, and the one of earlier releases", async () => {
      const { body: wiki } = await api.call("GET", "/api/mcp-servers/wiki");
      const { id } = wiki.data;
      const { status, body } = await api.service.http(`/oauth/clients/${id}.json`);
      assert.deepEqual(
        [status, body.client_id, body.client_name, body.redirect_uris],
        [200, `${BASE}/oauth/clients/${id}.json`, "Gatehouse (Test): Wiki", [`${BASE}/oauth/callback/${id}`]],
      );
      const { body: open } = await api.call("GET", "/api/mcp-servers/open");
      for (const name of [id, "srv_unknown.json", `${open.data.id}.json`, "%00.json"]) {
        assert.equal((await api.service.http(`/oauth/clients/${name}`)).status, 404, name);
      }
      const shared = await api.service.http("/oauth/client-metadata.json");
      assert.deepEqual(shared.body.redirect_uris, [`${BASE}/oauth/callback`]);
    });
  },
  { clock: "by-hand" },
);
