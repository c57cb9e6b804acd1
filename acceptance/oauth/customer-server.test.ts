import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import type { MachineUser } from "../kit/api.ts";
import { type Customer, type CustomerRequest, startCustomer } from "../kit/customer.ts";
import { send } from "../kit/http.ts";
import { forEachTarget } from "../kit/suite.ts";

const WELL_KNOWN = "/.well-known/oauth-authorization-server";

forEachTarget("a customer's server with OAuth", (api) => {
  let customer: Customer;
  before(async () => {
    customer = await startCustomer();
  });
  after(() => customer.close());
  beforeEach(() => {
    customer.requests.length = 0;
    customer.changes.metadata = (all) => all;
    customer.changes.registration = (all) => all;
    customer.changes.expiresIn = 3600;
  });

  const createServer = (settings: object = {}) =>
    api.server({
      mcp_proxy: JSON.stringify({ type: "http", url: customer.url }),
      auth_settings: { authType: "proxy-oauth", ...settings },
    });
  const discover = (slug: string) => api.call("POST", `/api/mcp-servers/${slug}/discover-oauth`);
  const createUser = async (slug: string) => {
    const bot = await api.machineUser();
    await api.group({ slugs: [slug], emails: [bot.email] });
    return bot;
  };
  /** Follows the redirects as the user's browser does. Returns the last page. */
  const connect = async ({ email }: MachineUser, slug: string) => {
    const query = new URLSearchParams({ email, mcp: slug });
    const { data } = await api.body(200, "GET", `/api/user/auth-url?${query}`);
    const left = await send(api.target.url, pathOf(data.url));
    if (left.status >= 400) return left;
    assert.ok([302, 303].includes(left.status), left.text);
    const cookie = (left.headers["set-cookie"] ?? []).map((line) => line.split(";")[0]).join("; ");
    const back = await fetch(String(left.headers.location), { redirect: "manual" });
    assert.equal(back.status, 302, await back.text());
    return send(api.target.url, pathOf(back.headers.get("location") ?? ""), { headers: { cookie } });
  };
  const pathOf = (url: string) => {
    const base = new URL(api.target.url).pathname.replace(/\/$/, "");
    const { pathname, search } = new URL(url);
    return `${pathname.slice(base.length)}${search}`;
  };
  const whoami = async ({ credential }: MachineUser, slug: string) => {
    const { body } = await api.mcp(credential, "tools/call", { name: `${slug}__whoami`, arguments: {} });
    return body.result.content[0].text as string;
  };

  it("is connected in the contract's steps: metadata, registration, authorization, exchange, forwarding [S1-proxy-oauth S4.6-flow]", async () => {
    const slug = await createServer();
    const user = await createUser(slug);
    await connect(user, slug);
    assert.match(await whoami(user, slug), /^token-/);
    const order = customer.requests.map(({ path }) => path);
    const steps = [WELL_KNOWN, "/register", "/authorize", "/token"].map((path) => order.indexOf(path));
    assert.ok(
      steps.every((at, index) => at >= 0 && at > (steps[index - 1] ?? -1)),
      order.join(" "),
    );
    assert.ok(order.lastIndexOf("/mcp") > (steps[3] ?? 0));
  });

  it("is discovered when an admin asks for it, and again when a user connects [S4.6-when S4.6-metadata]", async () => {
    const slug = await createServer();
    const { status, body } = await discover(slug);
    assert.deepEqual([status, body.data.issuer], [200, customer.origin]);
    const first = customer.to(WELL_KNOWN).length;
    assert.ok(first > 0);
    const user = await createUser(slug);
    await connect(user, slug);
    assert.ok(customer.to(WELL_KNOWN).length > first);
    assert.equal(customer.to("/register").length, 1, "the registration is not repeated");
  });

  it("needs a client ID from an admin if it has no registration endpoint [S4.6-metadata]", async () => {
    customer.changes.metadata = ({ registration_endpoint: _none, ...rest }) => rest;
    const slug = await createServer();
    const { status, body } = await discover(slug);
    assert.equal(status, 200);
    assert.match(JSON.stringify(body.data), /client ID/i);
    await api.body(200, "PATCH", `/api/mcp-servers?slug=${slug}`, { auth_settings: { clientId: "entered-by-admin" } });
    const user = await createUser(slug);
    await connect(user, slug);
    assert.match(await whoami(user, slug), /^token-/);
    assert.equal(customer.to("/register").length, 0);
    assert.equal(customer.to("/authorize").at(-1)?.query.get("client_id"), "entered-by-admin");
  });

  it("receives a registration with the callback URL, and its secret is used if the method is confidential [S4.6-register]", async () => {
    const slug = await createServer();
    await connect(await createUser(slug), slug);
    const { body } = customer.to("/register")[0] ?? {};
    assert.equal(body.redirect_uris.length, 1);
    assert.match(body.redirect_uris[0], /\/oauth\/callback\b/);
    assert.deepEqual(body.response_types, ["code"]);
    assert.deepEqual(body.grant_types, ["authorization_code", "refresh_token"]);
    assert.equal(body.token_endpoint_auth_method, "client_secret_post");
    assert.equal(customer.to("/token")[0]?.body.client_secret, "secret-of-acceptance");
    customer.changes.metadata = (all) => ({ ...all, token_endpoint_auth_methods_supported: ["none"] });
    customer.requests.length = 0;
    const open = await createServer();
    await connect(await createUser(open), open);
    assert.equal(customer.to("/register")[0]?.body.token_endpoint_auth_method, "none");
    assert.equal(customer.to("/token")[0]?.body.client_secret, undefined);
  });

  it("receives the user with a new state and an S256 challenge, and the state must come back unchanged [S4.6-authorize]", async () => {
    const slug = await createServer();
    const user = await createUser(slug);
    await connect(user, slug);
    await connect(user, slug);
    const asked = customer.to("/authorize").map(({ query }) => Object.fromEntries(query));
    assert.equal(asked.length, 2);
    for (const { response_type, code_challenge, code_challenge_method, redirect_uri } of asked) {
      assert.deepEqual([response_type, code_challenge_method], ["code", "S256"]);
      assert.match(code_challenge ?? "", /^[A-Za-z0-9_-]{43}$/);
      assert.match(redirect_uri ?? "", /\/oauth\/callback\b/);
    }
    assert.notEqual(asked[0]?.state, asked[1]?.state);
    const forged = await send(api.target.url, `/oauth/callback?code=x&state=${asked[0]?.state}x`);
    assert.ok(forged.status >= 400);
    assert.equal(customer.to("/token").length, 2);
  });

  it("receives the exchange as a form with code, redirect URI, and verifier [S4.6-token]", async () => {
    const slug = await createServer();
    await connect(await createUser(slug), slug);
    const [{ headers, body } = { headers: {}, body: {} }] = customer.to("/token");
    assert.match(headers["content-type"] ?? "", /^application\/x-www-form-urlencoded/);
    assert.equal(body.grant_type, "authorization_code");
    assert.equal(body.redirect_uri, customer.to("/authorize")[0]?.query.get("redirect_uri"));
    assert.match(body.code_verifier, /^[A-Za-z0-9._~-]{43,128}$/);
  });

  it("sends seconds until the token expires, after which it is not used [S4.6-token S8-expires-in]", async () => {
    const slug = await createServer();
    const [short, long] = [await createUser(slug), await createUser(slug)];
    await connect(long, slug);
    assert.match(await whoami(long, slug), /^token-/);
    customer.changes.expiresIn = 0;
    await connect(short, slug);
    const before = customer.to("/mcp").filter(({ body }) => body.method === "tools/call").length;
    assert.doesNotMatch(await whoami(short, slug), /^token-/);
    assert.equal(customer.to("/mcp").filter(({ body }) => body.method === "tools/call").length, before);
  });

  it("receives each user's own token with initialize and every call [S1-proxy-oauth S4.6-forward]", async () => {
    const slug = await createServer();
    const users = [await createUser(slug), await createUser(slug)];
    for (const user of users) await connect(user, slug);
    const tokens = await Promise.all(users.map((user) => whoami(user, slug)));
    assert.equal(new Set(tokens).size, 2);
    assert.deepEqual(await Promise.all(users.map((user) => whoami(user, slug))), tokens);
    const initialized = customer.to("/mcp").filter(({ body }) => body.method === "initialize");
    const calls = customer.to("/mcp").filter(({ body }) => body.method === "tools/call");
    for (const token of tokens) {
      const isTheirs = ({ headers }: CustomerRequest) => headers.authorization === `Bearer ${token}`;
      assert.ok(initialized.some(isTheirs), "initialize has the token");
      assert.equal(calls.filter(isTheirs).length, 2);
    }
    const stranger = await createUser(slug);
    assert.doesNotMatch(await whoami(stranger, slug), /^token-/);
  });

  it("fails discovery with the contract's message if the registration has no redirect_uris [S4.6-redirect-uris]", async () => {
    const slug = await createServer();
    const user = await createUser(slug);
    for (const [value, received] of [
      [undefined, "undefined"],
      ["https://gatehouse.example/oauth/callback", "string"],
    ] as const) {
      customer.changes.registration = (all) => ({ ...all, redirect_uris: value });
      const { status, body } = await discover(slug);
      assert.equal(status, 400);
      assert.match(body.error, new RegExp(`redirect_uris: expected array, received ${received}`));
      const page = await connect(user, slug);
      assert.equal(page.status, 400);
      assert.match(page.text, /OAuth Discovery Failed/);
    }
  });
});
