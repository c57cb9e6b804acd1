import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { createEgress, type Egress, parseAllowList } from "#egress/egress";
import type { ExchangeProviderRow } from "#storage/exchange-tables";
import { testClock } from "#test/clock";
import { EXAMPLE_DEFINITION, providerRow } from "#test/exchange-rows";
import { startTokenIssuer, type TokenIssuer } from "#test/token-issuer";
import { matchesGlob } from "./glob.ts";
import { IssuerKeys, IssuerKeysFailure } from "./issuer-keys.ts";

const KEYS = "/keys";
const OPENID = "/.well-known/openid-configuration";
const OAUTH = "/.well-known/oauth-authorization-server";

describe("the keys of an issuer", () => {
  const clock = testClock();
  let idp: TokenIssuer;
  let egress: Egress;
  let keys: IssuerKeys;
  let n = 0;
  before(async () => {
    idp = await startTokenIssuer(clock);
    egress = createEgress({ allow: parseAllowList("127.0.0.0/8"), clock });
  });
  after(async () => {
    egress.close();
    await idp.close();
  });
  beforeEach(() => {
    idp.answers.clear();
    idp.requests.length = 0;
    keys = new IssuerKeys({ request: egress.request, clock });
  });

  const provider = (definition: Partial<ExchangeProviderRow["definition"]> = {}, issuer = idp.issuer) =>
    providerRow(`iss_${++n}`, { issuer, definition: { ...EXAMPLE_DEFINITION, ...definition } });
  const failure = async (from: ExchangeProviderRow) => {
    const error = await keys.current(from).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(error instanceof IssuerKeysFailure, String(error));
    return error.kind;
  };
  const jwksUri = () => `${idp.issuer}${KEYS}`;

  it("are found by discovery and cached, and concurrent requests share one fetch", async () => {
    const trusted = provider();
    await Promise.all(Array.from({ length: 20 }, () => keys.current(trusted)));
    assert.deepEqual(idp.requests, [OPENID, KEYS]);
    clock.advance(9 * 60_000);
    await keys.current(trusted);
    assert.equal(idp.requests.length, 2);
    clock.advance(2 * 60_000);
    await keys.current(trusted);
    assert.equal(idp.requests.length, 4);
  });

  it("are found by the metadata of an OAuth server if there is no OpenID document", async () => {
    idp.answers.set(OPENID, { status: 404, body: "{}" });
    idp.answers.set(OAUTH, { body: JSON.stringify({ issuer: idp.issuer, jwks_uri: jwksUri() }) });
    await keys.current(provider());
    assert.deepEqual(idp.requests, [OPENID, OAUTH, KEYS]);
  });

  it("are not taken from the document of another issuer, or from an insecure URL", async () => {
    for (const document of [
      { issuer: "https://other.example", jwks_uri: jwksUri() },
      { issuer: idp.issuer, jwks_uri: "http://issuer.example/keys" },
      { issuer: idp.issuer, jwks_uri: "file:///etc/passwd" },
      { issuer: idp.issuer },
    ]) {
      idp.answers.set(OPENID, { body: JSON.stringify(document) });
      assert.equal(await failure(provider()), "no-url");
      assert.ok(!idp.requests.includes(KEYS));
    }
  });

  it("are unavailable if the response is too large, redirects, fails, or is no key set", async () => {
    for (const answer of [
      { body: JSON.stringify({ ...idp.jwks(), padding: "x".repeat(256 * 1024) }) },
      { status: 302, headers: { location: "http://127.0.0.1:1/" }, body: "" },
      { status: 302, headers: { location: "http://169.254.169.254/latest" }, body: "" },
      { status: 500, body: "{}" },
      { body: "not JSON" },
      { body: '{"keys":"none"}' },
    ]) {
      idp.answers.set(KEYS, answer);
      const kind = await failure(provider({ jwks_uri: jwksUri() }));
      assert.ok(kind === "unavailable" || answer.status === 302, JSON.stringify(answer).slice(0, 80));
      assert.equal(idp.requests.at(-1), KEYS);
    }
    assert.equal(await failure(provider({ jwks_uri: "https://10.0.0.1/keys" })), "unavailable");
  });

  it("are kept for an hour while the issuer does not respond, with one request in 30 s", async () => {
    const trusted = provider();
    await keys.current(trusted);
    idp.answers.set(OPENID, { status: 503, body: "{}" });
    idp.answers.set(OAUTH, { status: 503, body: "{}" });
    clock.advance(11 * 60_000);
    idp.requests.length = 0;
    for (let calls = 0; calls < 10; calls++) await keys.current(trusted);
    assert.deepEqual(idp.requests, [OPENID, OAUTH]);
    clock.advance(50 * 60_000);
    assert.equal(await failure(trusted), "unavailable");
  });

  it("are not fetched again for a moment after a failure", async () => {
    idp.answers.set(KEYS, { status: 500, body: "{}" });
    const trusted = provider({ jwks_uri: jwksUri() });
    for (let calls = 0; calls < 5; calls++) assert.equal(await failure(trusted), "unavailable");
    assert.equal(idp.requests.length, 1);
    idp.answers.clear();
    clock.advance(5_001);
    await keys.current(trusted);
  });

  it("are never fetched for a static set", async () => {
    const trusted = provider({ jwks: { keys: idp.jwks().keys.map((key) => ({ ...key })) } }, "https://10.0.0.1");
    await keys.current(trusted);
    assert.equal(await keys.refetched(trusted), undefined);
    assert.deepEqual(idp.requests, []);
  });
});

describe("a pattern of a condition", () => {
  it("matches the whole text, with * for any characters and ? for one", () => {
    for (const [pattern, text, expected] of [
      ["acme/*", "acme/app", true],
      ["acme/*", "acme/", true],
      ["acme/*", "evil/acme/app", false],
      ["repo:acme/*:ref:refs/heads/main", "repo:acme/a/b:ref:refs/heads/main", true],
      ["repo:acme/*:ref:refs/heads/main", "repo:acme/app:ref:refs/heads/main2", false],
      ["a?c", "abc", true],
      ["a?c", "ac", false],
      ["*", "", true],
      ["", "a", false],
      ["a.c", "abc", false],
      ["[a]*", "a", false],
    ] as const) {
      assert.equal(matchesGlob(pattern, text), expected, `${pattern} ${text}`);
    }
  });

  it("takes little time for hostile patterns", () => {
    assert.equal(matchesGlob("*a".repeat(500), "a".repeat(10_000).concat("b")), false);
  });
});
