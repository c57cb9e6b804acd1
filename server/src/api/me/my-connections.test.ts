import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { bearer, forEachApi } from "#test/api";
import { type Browser, signedInAs } from "#test/browser";
import { createGroup, createMachineUser, createServer } from "#test/factories";
import { type Customer, startCustomer } from "#test/oauth/customer";

const ADA = "ada@example.com";
const BASE = "http://127.0.0.1:8080";

forEachApi("a person's own connections", (api) => {
  let customer: Customer;
  let ada: Browser;
  let bot: Awaited<ReturnType<typeof createMachineUser>>;
  before(async () => {
    const { service } = api;
    customer = await startCustomer();
    customer.allowKey("good-canary");
    ada = await signedInAs(service, "member", ADA);
    const { id } = (await ada.api("GET", "/api/me")).body.data;
    bot = await createMachineUser(service, "bot", { owner_ids: [id] });
    await createServer(service, "Keyed", customer.url, {
      auth_settings: { authType: "proxy-api-key", howtoMarkdown: "Ask *IT*" },
    });
    await createServer(service, "Wiki", customer.url, { auth_settings: { authType: "proxy-oauth" } });
    await createServer(service, "Secret", customer.url, { auth_settings: { authType: "proxy-oauth" } });
    await createGroup(service, "All", { slugs: ["keyed", "wiki"], emails: [ADA, bot.email] });
  });
  beforeEach(async () => {
    for (const mcp of ["keyed", "wiki"]) {
      for (const email of [ADA, bot.email]) await ada.api("DELETE", `/api/me/connection?mcp=${mcp}&for=${email}`);
    }
  });
  after(() => customer.close());

  const list = async (query = "") => (await ada.api("GET", `/api/me/mcp-servers${query}`)).body;
  const statuses = async (query?: string) =>
    (await list(query)).data.map((entry: { slug: string; connection: { status: string } }) => [
      entry.slug,
      entry.connection.status,
    ]);
  const setKey = (key: string, query = "") => ada.api("PUT", `/api/me/api-key?mcp=keyed${query}`, { key });
  const test = async (mcp: string, query = "") =>
    (await ada.api("POST", `/api/me/test-connection?mcp=${mcp}${query}`)).body.data;
  const connectWiki = async (query = "") => {
    const left = await ada.get(`/connect/wiki/start${query}`);
    assert.equal(left.status, 302, left.text);
    return ada.get((await customer.agree(left.headers.location ?? "")).slice(BASE.length));
  };
  const connected = { connected: true, status: "connected" };

  it("GET /api/me/mcp-servers lists the caller's servers with connection status and connect URL", async () => {
    assert.equal((await setKey("good-canary")).status, 200);
    const { data, pagination } = await list();
    assert.deepEqual(await statuses(), [
      ["keyed", "connected"],
      ["wiki", "not_connected"],
    ]);
    const [keyed, wiki] = data;
    assert.deepEqual(
      [keyed.how_to, keyed.connect_url, keyed.auth_type],
      ["Ask *IT*", `${BASE}/connect/keyed`, "proxy-api-key"],
    );
    assert.deepEqual([wiki.how_to, wiki.connection.last_error, pagination.hasMore], [null, null, false]);
    assert.ok(!JSON.stringify(data).includes("canary"));
  });

  it("GET /api/me/mcp-servers returns the last use of each server", async () => {
    assert.equal((await setKey("good-canary", `&for=${bot.email}`)).status, 200);
    const ask = (method: string, params = {}) =>
      api.service.mcp(bot.credential, { jsonrpc: "2.0", id: 1, method, params });
    // The first list can time out while waiting for the server.
    while (!(await ask("tools/list")).text.includes("keyed__whoami"));
    await ask("tools/call", { name: "keyed__whoami", arguments: {} });
    // Reading the logs first stores all finished calls.
    await api.call("GET", "/api/logs");
    const uses = async (query: string) =>
      (await list(query)).data.map((entry: { slug: string; last_used_at: string | null }) => [
        entry.slug,
        entry.last_used_at !== null,
      ]);
    assert.deepEqual(await uses(`?for=${bot.email}`), [
      ["keyed", true],
      ["wiki", false],
    ]);
    assert.deepEqual(await uses(""), [
      ["keyed", false],
      ["wiki", false],
    ]);
  });

  it("PUT /api/me/api-key stores a working key for the caller, and rejects others", async () => {
    const rows = await api.auditOf(async () => {
      assert.deepEqual((await setKey("good-canary")).body, { data: { ...connected, verified: true } });
    });
    assert.deepEqual(
      rows.map(({ operation, actor_name, target_name }) => [operation, actor_name, target_name]),
      [["setMyApiKey", ADA, `${ADA} keyed`]],
    );
    const refused = await setKey("bad-canary");
    const message = "key: Keyed rejected this API key (401). Check that the key is active, then save it again.";
    assert.deepEqual([refused.status, refused.body.message], [400, message]);
    assert.deepEqual((await test("keyed")).verified, true, "the previous key is kept");
    const wiki = await ada.api("PUT", "/api/me/api-key?mcp=wiki", { key: "x" });
    assert.deepEqual([wiki.status, wiki.body.message], [400, "mcp: the server does not use API keys"]);
  });

  describe("POST /api/me/test-connection", () => {
    it("reports whether the server accepts the key, and ends the connection if not", async () => {
      assert.deepEqual(await test("keyed"), { connected: false, status: "not_connected", verified: false });
      await setKey("good-canary");
      assert.deepEqual(await test("keyed"), { ...connected, verified: true });
      customer.revokeToken("good-canary");
      const ended = { connected: false, status: "reconnect_needed", verified: false };
      assert.deepEqual(await test("keyed"), ended);
      customer.allowKey("good-canary");
      assert.equal((await statuses())[0][1], "reconnect_needed");
      assert.match((await list()).data[0].connection.last_error, /no longer accepts/);
    });

    it("renews a token that the server rejects, as a call would", async () => {
      assert.equal((await connectWiki()).status, 200);
      assert.deepEqual(await test("wiki"), { ...connected, verified: true });
      for (const token of customer.goodTokens()) if (token !== "good-canary") customer.revokeToken(token);
      assert.deepEqual(await test("wiki"), { ...connected, verified: true });
      customer.behaviour.instead["/mcp"] = (response) => void response.writeHead(503).end();
      const { verified, message, status } = await test("wiki");
      delete customer.behaviour.instead["/mcp"];
      assert.deepEqual([verified, status], [false, "connected"]);
      assert.match(message, /^The server .*503/);
    });
  });

  it("a sign-in in a popup reports its outcome and closes, others return to the app (WEB-7)", async () => {
    const popup = await connectWiki("?view=popup");
    assert.match(popup.text, /data-outcome="connected" data-close>Wiki is connected for ada@example\.com/);
    const tab = await connectWiki();
    assert.match(tab.text, /data-outcome="connected">[\s\S]*href="\.\.\/\.\.\/connect\/wiki"/);
    assert.doesNotMatch(tab.text, /data-close/);
    const left = await ada.get("/connect/wiki/start?view=popup");
    const asked = new URL(left.headers.location ?? "").searchParams;
    const { pathname } = new URL(asked.get("redirect_uri") ?? "");
    const denied = await ada.get(`${pathname}?state=${asked.get("state")}&error=access_denied`);
    assert.match(denied.text, /data-outcome="failed">You declined access/);
    assert.doesNotMatch(denied.text, /data-close/, "so that it can be read");
  });

  it("DELETE /api/me/connection disconnects, and returns 404 the second time", async () => {
    await connectWiki();
    const [row] = await api.auditOf(async () => {
      const done = await ada.api("DELETE", "/api/me/connection?mcp=wiki");
      assert.deepEqual([done.status, done.body.message], [200, "Connection deleted successfully"]);
    });
    assert.deepEqual([row?.operation, row?.actor_name], ["deleteMyConnection", ADA]);
    assert.equal((await statuses())[1][1], "not_connected");
    assert.equal((await ada.api("DELETE", "/api/me/connection?mcp=wiki")).status, 404);
  });

  it("accepts machine users of the caller, and no other user", async () => {
    const forBot = `&for=${encodeURIComponent(bot.email)}`;
    assert.equal((await setKey("good-canary", forBot)).status, 200);
    assert.deepEqual(await statuses(`?for=${bot.email}`), [
      ["keyed", "connected"],
      ["wiki", "not_connected"],
    ]);
    assert.equal((await statuses())[0][1], "not_connected");
    assert.equal((await test("keyed", forBot)).verified, true);
    const eve = await signedInAs(api.service, "admin", "eve@example.com");
    for (const [method, path] of [
      ["GET", "mcp-servers?"],
      ["POST", "test-connection?mcp=keyed&"],
      ["DELETE", "connection?mcp=keyed&"],
    ] as const) {
      for (const email of [bot.email, ADA, "nobody@example.com"]) {
        const answer = await eve.api(method, `/api/me/${path}for=${email}`);
        assert.deepEqual([answer.status, answer.body], [404, { error: `User not found: ${email}` }]);
      }
    }
  });

  it("requires a signed-in person and a CSRF token (WEB-6)", async () => {
    const { token } = await api.tokenWith("all");
    const asToken = await api.call("GET", "/api/me/mcp-servers", undefined, bearer(token));
    assert.equal(asToken.status, 403);
    const path = "/api/me/api-key?mcp=keyed";
    const forged = await ada.api("PUT", path, { key: "good-canary" }, { "x-csrf-token": "wrong" });
    assert.equal(forged.status, 403);
    for (const mcp of ["secret", "nowhere"]) {
      const answer = await ada.api("POST", `/api/me/test-connection?mcp=${mcp}`);
      assert.deepEqual([answer.status, answer.body], [404, { error: "MCP server not found" }]);
    }
  });
});
