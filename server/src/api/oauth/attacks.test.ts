import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { before, it } from "node:test";
import { type ApiUnderTest, forEachApi } from "#test/api";
import { Browser, signedInAs } from "#test/browser";
import { McpClient, pathAt } from "#test/mcp-client";

const BASE = "http://127.0.0.1:8080";

/** Each attack is rejected without information for the attacker. The clock stands still, so that no rate limit resets. */
const suite = (api: ApiUnderTest) => {
  let ada: Browser;
  let eve: Browser;
  let client: McpClient;
  before(async () => {
    ada = await signedInAs(api.service, "member", "ada@example.com");
    eve = await signedInAs(api.service, "member", "eve@example.com");
    client = new McpClient(api.service);
    await client.register();
  });
  const codeFor = async (browser: Browser, of = client) => (await of.agree(browser)).searchParams.get("code") ?? "";
  const grants = async () => (await api.db.selectFrom("oauth_grants").selectAll().execute()).length;

  for (const [what, redirect_uri] of [
    ["another host", "https://evil.example/callback"],
    ["another path", "http://127.0.0.1:33418/other"],
    ["more than the path", "http://127.0.0.1:33418/callback/../evil"],
    ["a host that only begins alike", "http://127.0.0.1.evil.example:33418/callback"],
    ["a user before the host", "http://127.0.0.1:33418@evil.example/callback"],
    ["another scheme", "https://127.0.0.1:33418/callback"],
    ["one more parameter", "http://127.0.0.1:33418/callback?next=https://evil.example"],
  ] as const) {
    it(`redirect mismatch: shows an error page and does not redirect for ${what}`, async () => {
      const answer = await ada.get(client.authorizePath({ redirect_uri }));
      assert.deepEqual([answer.status, answer.headers.location], [400, undefined]);
      assert.match(String(answer.headers["content-type"]), /^text\/html/);
      assert.match(String(answer.headers["content-security-policy"]), /frame-ancestors 'none'/);
    });
  }

  for (const response_mode of ["fragment", "form_post"]) {
    it(`rejects the response mode ${response_mode}, which would expose the code to scripts`, async () => {
      const answer = await ada.get(client.authorizePath({ response_mode }));
      assert.doesNotMatch(`${answer.headers.location}${answer.text}`, /consent|[?&#]code=/);
      assert.match(`${answer.headers.location}${answer.text}`, /unsupported.response.mode/i);
    });
  }

  for (const uri of [
    "http://evil.example/callback",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://evil.example/#x",
    "/callback",
  ]) {
    it(`rejects the registration of ${uri}`, async () => {
      const answer = await new McpClient(api.service).register({ redirect_uris: [uri] });
      assert.equal(answer.status, 400, answer.text);
      assert.match(answer.body.error, /^invalid_(?:redirect_uri|client_metadata)$/);
    });
  }

  for (const redirect_uri of ["https://evil.example/phish", "evil-app://phish"]) {
    it(`open redirect: shows errors before consent on our page, and does not redirect to ${redirect_uri}`, async () => {
      const evil = new McpClient(api.service);
      assert.equal((await evil.register({ redirect_uris: [redirect_uri] })).status, 201);
      const errors: Record<string, string>[] = [
        { response_type: "token" },
        { code_challenge: "" },
        { prompt: "none" },
        { resource: "https://elsewhere.example/mcp" },
        { request: "x" },
        { response_mode: "fragment" },
      ];
      for (const browser of [ada, new Browser(api.service)]) {
        for (const rest of errors) {
          const answer = await browser.get(evil.authorizePath({ redirect_uri, ...rest }));
          assert.equal(answer.headers.location, undefined, JSON.stringify(rest));
          assert.deepEqual([answer.status, answer.text.includes("evil")], [400, false], JSON.stringify(rest));
          assert.match(answer.text, /The MCP client sent an invalid request/);
        }
      }
      const denied = await evil.agree(ada, { redirect_uri }, "deny");
      assert.deepEqual(
        [denied.searchParams.get("error"), denied.href.startsWith(redirect_uri)],
        ["access_denied", true],
      );
    });
  }

  it("open redirect: does not redirect to an unknown client", async () => {
    const answer = await ada.get(
      client.authorizePath({ client_id: "cli_unknown", redirect_uri: "https://evil.example" }),
    );
    assert.deepEqual([answer.status, answer.headers.location], [400, undefined]);
  });

  it("forged client metadata document: does not fetch from a forbidden address (OA-6)", async () => {
    for (const client_id of ["https://10.0.0.1/client.json", "https://169.254.169.254/latest", "https://[fd00::1]/c"]) {
      const answer = await ada.get(client.authorizePath({ client_id }));
      assert.ok(answer.status === 400 || answer.status === 401, answer.text);
      assert.equal(answer.headers.location, undefined);
    }
  });

  it("forged client metadata document: ignores the addresses that are allowed for MCP servers (OA-6)", async () => {
    let reached = 0;
    const inside = createServer((socket) => {
      reached++;
      socket.destroy();
    });
    await new Promise<void>((resolve) => inside.listen(0, "127.0.0.1", resolve));
    try {
      // A listening TCP server always has an AddressInfo.
      const client_id = `https://127.0.0.1:${(inside.address() as AddressInfo).port}/client.json`;
      assert.equal((await ada.get(client.authorizePath({ client_id }))).headers.location, undefined);
      assert.equal((await client.exchange("x", { client_id })).body.error, "invalid_client");
      assert.equal(reached, 0);
    } finally {
      await new Promise((resolve) => inside.close(resolve));
    }
  });

  it("code replay: rejects the second exchange and revokes the tokens of the first", async () => {
    const code = await codeFor(ada);
    const first = await client.exchange(code);
    assert.equal(first.status, 200, first.text);
    const replayed = await client.exchange(code);
    assert.deepEqual([replayed.status, replayed.body.error], [400, "invalid_grant"]);
    const { status } = await api.service.mcp(first.body.access_token, { jsonrpc: "2.0", id: 1, method: "ping" });
    assert.equal(status, 401);
    assert.equal((await client.refresh(first.body.refresh_token)).body.error, "invalid_grant");
  });

  it("concurrent code replay: issues tokens at most once", async () => {
    const code = await codeFor(ada);
    const answers = await Promise.all(Array.from({ length: 8 }, () => client.exchange(code)));
    assert.ok(answers.filter(({ status }) => status === 200).length <= 1);
    for (const { status, body } of answers) if (status !== 200) assert.equal(body.error, "invalid_grant");
  });

  it("stolen code: rejects it without the verifier, with a wrong one, and for a different client", async () => {
    const code = await codeFor(ada);
    const thief = new McpClient(api.service);
    await thief.register();
    for (const attempt of [
      client.exchange(code, { code_verifier: "" }),
      client.exchange(code, { code_verifier: thief.verifier }),
      client.exchange(code, { redirect_uri: "http://127.0.0.1:1/callback" }),
      thief.exchange(code, { code_verifier: client.verifier }),
    ]) {
      const { status, body } = await attempt;
      assert.equal(status, 400);
      assert.match(body.error, /^invalid_(?:grant|request)$/);
    }
  });

  it("flood: 150 wrong codes, tokens, and authorization requests keep no valid one from working", async () => {
    const { refresh_token } = (await client.exchange(await codeFor(ada))).body;
    for (let n = 0; n < 150; n++) {
      assert.equal((await client.exchange(`wrong-${n}`)).status, 400);
      assert.equal((await client.refresh(`wrong-${n}`)).status, 400);
    }
    assert.equal((await client.refresh(refresh_token)).status, 200);
    const stranger = new Browser(api.service);
    let last = 0;
    for (let n = 0; n < 700 && last !== 429; n++)
      last = (await stranger.get(client.authorizePath({ prompt: "none" }))).status;
    assert.equal(last, 429);
    assert.match(await client.ask(ada), /\/oauth\/consent\//);
  });

  it("missing PKCE: rejects requests without PKCE or with the plain method before consent", async () => {
    for (const rest of [
      { code_challenge: "", code_challenge_method: "" },
      { code_challenge: client.verifier, code_challenge_method: "plain" },
      { code_challenge_method: "" },
    ]) {
      const answer = await ada.get(client.authorizePath(rest));
      const back = new URL(String(answer.headers.location));
      assert.deepEqual([back.origin, back.searchParams.get("error")], ["http://127.0.0.1:33418", "invalid_request"]);
    }
  });

  it("mix-up: every response and error names its issuer (RFC 9207)", async () => {
    for (const back of [await client.agree(ada), await client.agree(ada, {}, "deny")]) {
      assert.equal(back.searchParams.get("iss"), BASE);
    }
    const refused = await ada.get(client.authorizePath({ resource: "https://elsewhere.example/mcp" }));
    const back = new URL(String(refused.headers.location));
    assert.deepEqual([back.searchParams.get("iss"), back.searchParams.get("error")], [BASE, "invalid_target"]);
  });

  it("foreign resource: issues no token for it", async () => {
    for (const resource of [
      "https://elsewhere.example/mcp",
      `${BASE}/api`,
      `${BASE}/mcp/a/b`,
      "urn:mcp",
      `${BASE}.evil.example/mcp`,
    ]) {
      const answer = await ada.get(client.authorizePath({ resource }));
      assert.equal(new URL(String(answer.headers.location)).searchParams.get("error"), "invalid_target", resource);
    }
    const code = await codeFor(ada);
    const widened = await client.exchange(code, { resource: `${BASE}/mcp/other` });
    assert.deepEqual([widened.status, widened.body.error], [400, "invalid_target"]);
  });

  it("consent CSRF: requires the token of this person's session", async () => {
    const consent = await client.ask(ada);
    const page = await ada.get(consent);
    assert.match(page.text, /csrf_token/);
    const before = await grants();
    const forged = [
      await ada.submit(consent, { decision: "allow", csrf_token: "" }),
      await ada.submit(consent, { decision: "allow", csrf_token: await eve.csrfToken() }),
      await ada.submit(
        consent,
        { decision: "allow", csrf_token: await ada.csrfToken() },
        { "sec-fetch-site": "cross-site" },
      ),
    ];
    for (const { status, headers } of forged) assert.deepEqual([status, headers.location], [403, undefined]);
    assert.equal((await ada.get(consent)).status, 200, "reading agrees to nothing");
    assert.equal(await grants(), before);
  });

  it("confused deputy: a different browser cannot consent or continue", async () => {
    const consent = await client.ask(eve);
    const opened = await ada.get(consent);
    assert.deepEqual([opened.status, /started in a different browser/.test(opened.text)], [400, true]);
    const forced = await ada.submit(consent, { decision: "allow", csrf_token: await ada.csrfToken() });
    assert.deepEqual([forced.status, forced.headers.location], [400, undefined]);
    await eve.get(consent);
    const taken = await eve.submit(consent, { decision: "allow" });
    for (const name of [...ada.cookies.keys()].filter((each) => each.includes("oauth"))) ada.cookies.delete(name);
    const resume = await ada.get(pathAt(String(taken.headers.location)));
    assert.deepEqual([resume.status, resume.headers.location], [400, undefined]);
  });

  it("asks for consent each time, also with prompt=none", async () => {
    await client.agree(ada);
    assert.match(await client.ask(ada), /\/oauth\/consent\//);
    const silent = await ada.get(client.authorizePath({ prompt: "none" }));
    assert.equal(new URL(String(silent.headers.location)).searchParams.get("error"), "consent_required");
  });

  it("escapes markup and control characters in client names", async () => {
    const liar = new McpClient(api.service);
    await liar.register({
      client_name: "Bank\u202e\n<script>x</script>\u0000",
      redirect_uris: ["cursor://anysphere.mcp/cb"],
    });
    const consent = await liar.ask(ada, { redirect_uri: "cursor://anysphere.mcp/cb" });
    const page = await ada.get(consent);
    assert.ok(page.text.includes("Bank &lt;script&gt;x&lt;/script&gt;"), page.text);
    assert.match(String(page.headers["content-security-policy"]), /form-action 'self' cursor:; frame-ancestors 'none'/);
    assert.ok(page.text.includes("Registered itself; its name is not verified"));
  });

  it("rejects a code, a refresh token, and a client secret as credentials at the gateway and the API", async () => {
    const code = await codeFor(ada);
    const { access_token, refresh_token } = (await client.exchange(code)).body;
    for (const wrong of [code, refresh_token, client.clientId]) {
      assert.equal((await api.service.mcp(wrong, { jsonrpc: "2.0", id: 1, method: "ping" })).status, 401);
    }
    for (const wrong of [code, refresh_token, access_token]) {
      const headers = { authorization: `Bearer ${wrong}` };
      assert.equal((await api.service.http("/api/me", { headers })).status, 401);
    }
    assert.equal((await client.refresh(access_token)).body.error, "invalid_grant");
  });

  it("rejects large bodies, frequent requests, and other content types", async () => {
    const json = { "content-type": "application/json" };
    const post = (path: string, headers: Record<string, string>, body: string) =>
      api.service.http(path, { method: "POST", headers, body });
    assert.equal((await post("/oauth/register", json, "{")).status, 400);
    assert.equal((await post("/oauth/register", json, "[]")).status, 400);
    assert.equal((await post("/oauth/register", json, JSON.stringify({ client_name: "x".repeat(9_000) }))).status, 413);
    assert.equal((await post("/oauth/token", { "content-type": "text/plain" }, "x")).status, 415);
    assert.equal((await post("/oauth/token", {}, "")).status, 400);
    let status = 0;
    for (let i = 0; i < 61 && status !== 429; i++) status = (await new McpClient(api.service).register()).status;
    assert.equal(status, 429);
  });
};

forEachApi("attacks on people's MCP clients", suite, { clock: "by-hand" });
