import assert from "node:assert/strict";
import { after, before, beforeEach, it } from "node:test";
import { EgressFailure } from "#egress/egress";
import { createIds } from "#lib/ids";
import { createLogger } from "#lib/logger";
import { systemRandom } from "#lib/random";
import type { MainDb } from "#storage/database";
import { readOrCreateKeyFile } from "#storage/key-file";
import { openVault } from "#storage/open-vault";
import { testClock } from "#test/clock";
import { forEachDatabase } from "#test/databases";
import { type Loopback, listenOnLoopback, readBody } from "#test/upstreams/loopback";
import { AuthExchange } from "../exchange/auth-exchange.ts";
import { IssuerKeys } from "../exchange/issuer-keys.ts";
import { DocumentReachability } from "./document-reachability.ts";
import { OAuthServer } from "./server.ts";

const CLIENT = "https://client.example/oauth.json";
const DOCUMENT = {
  client_id: CLIENT,
  client_name: "Documented",
  redirect_uris: ["https://client.example/callback", "http://localhost/callback"],
  token_endpoint_auth_method: "none",
};

/** Simulates the https hosts of client metadata documents. */
forEachDatabase("a client that is known by its document", (open) => {
  let served: Loopback;
  let db: MainDb;
  let answer: () => Response;
  let mayFetch = true;
  const fetched: string[] = [];
  const clock = testClock();

  before(async () => {
    const { databases, dataDir } = await open();
    db = databases.main;
    const logger = createLogger("silent");
    const key = readOrCreateKeyFile(`${dataDir}/gatehouse.key`);
    const base = "http://127.0.0.1:8080";
    const documents = new DocumentReachability({
      db: databases.main,
      clock,
      logger,
      registryUrl: undefined,
      fetch: async (url) => {
        fetched.push(String(url));
        return answer();
      },
    });
    const server = new OAuthServer(
      {
        databases,
        clock,
        logger,
        random: systemRandom,
        newId: createIds(clock, systemRandom),
        vault: await openVault(databases.main, [key], { clock, logger }),
        baseUrl: base,
        gatewayUrl: base,
        orgName: "Test",
        waitUntilPublished: async () => {},
        exchange: new AuthExchange({
          ...{ databases, clock, random: systemRandom, newId: createIds(clock, systemRandom) },
          vault: await openVault(databases.main, [key], { clock, logger }),
          keys: new IssuerKeys({ request: () => Promise.reject(new Error("not used here")), clock }),
          waitUntilPublished: async () => {},
        }),
        documents,
      },
      ({ sentence, document }) => ({
        headers: { "content-type": "text/html" },
        body: document ? JSON.stringify(document) : sentence,
      }),
    );
    served = await listenOnLoopback((request, response) => {
      const exchange = { request, response, mayFetch: () => mayFetch };
      const endpoint = request.method === "POST" ? "token" : "authorize";
      void readBody(request).then((body) => server.handle(endpoint, exchange, body));
    });
  });
  after(() => served?.close());
  beforeEach(() => {
    fetched.length = 0;
    mayFetch = true;
    answer = () => Response.json(DOCUMENT);
  });

  const ask = async (client_id: string, redirect_uri = DOCUMENT.redirect_uris[0] ?? "") => {
    const pkce = { code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" };
    const params = new URLSearchParams({ response_type: "code", client_id, redirect_uri, state: "s", ...pkce });
    const response = await fetch(`${served.origin}/oauth/authorize?${params}`, { redirect: "manual" });
    return { status: response.status, location: response.headers.get("location"), text: await response.text() };
  };
  let count = 0;
  /** Documents are cached, so each test uses a different URL. */
  const newAddress = () => `https://client.example/${++count}.json`;

  it("is fetched from its URL, cached for a while, and shown on the consent page", async () => {
    for (let i = 0; i < 2; i++) {
      const { status, location } = await ask(CLIENT);
      assert.equal(status, 303);
      assert.match(String(location), /^\/oauth\/consent\//);
    }
    assert.deepEqual(fetched, [CLIENT]);
  });

  it("can redirect to any loopback port", async () => {
    assert.equal((await ask(CLIENT, "http://localhost:51234/callback")).status, 303);
  });

  for (const [what, forge] of [
    ["names another client", () => Response.json(DOCUMENT)],
    ["is not there", () => new Response("", { status: 404 })],
    ["leads elsewhere", () => new Response("", { status: 302, headers: { location: CLIENT } })],
    ["is no JSON", () => new Response("<html>")],
    ["is a list", () => Response.json([DOCUMENT])],
    [
      "is longer than any such document",
      (id: string) => Response.json({ ...DOCUMENT, client_id: id, x: "y".repeat(9_000) }),
    ],
    ["has a secret", (id: string) => Response.json({ ...DOCUMENT, client_id: id, client_secret: "s" })],
    [
      "wants a secret",
      (id: string) => Response.json({ ...DOCUMENT, client_id: id, token_endpoint_auth_method: "client_secret_post" }),
    ],
    [
      "sends codes over a network in the clear",
      (id: string) =>
        Response.json({
          ...DOCUMENT,
          client_id: id,
          application_type: "web",
          redirect_uris: ["http://client.example/", ...DOCUMENT.redirect_uris],
        }),
    ],
  ] as const) {
    it(`is rejected without a redirect when its document ${what}`, async () => {
      const id = newAddress();
      answer = () => forge(id);
      const { status, location } = await ask(id);
      assert.ok(status === 400 || status === 401, String(status));
      assert.equal(location, null);
      assert.deepEqual(fetched.slice(0, 1), [id]);
    });
  }

  it("leads to a page that says what to do when its document cannot be read", async () => {
    const id = newAddress();
    answer = () => {
      throw new EgressFailure("connect", 'host "client.example" could not be resolved');
    };
    const { status, location, text } = await ask(id);
    assert.deepEqual([status, location], [400, null]);
    assert.equal(text, JSON.stringify({ url: id, reason: 'host "client.example" could not be resolved' }));
  });

  it("is neither fetched nor used from the cache while the setting is off", async () => {
    const setting = { name: "organization", value: { client_id_documents: "off" }, updated_at: 0 };
    await db.insertInto("settings").values(setting).execute();
    clock.advance(2_000);
    try {
      for (const id of [newAddress(), CLIENT]) {
        const { location, text } = await ask(id);
        assert.deepEqual([location, text], [null, JSON.stringify({ url: id })]);
      }
      assert.deepEqual(fetched, []);
    } finally {
      await db.deleteFrom("settings").where("name", "=", "organization").execute();
      clock.advance(2_000);
    }
    assert.equal((await ask(CLIENT)).status, 303);
  });

  it("is not fetched beyond the limit of an IP address; cached documents still work", async () => {
    mayFetch = false;
    const id = newAddress();
    assert.equal((await ask(id)).location, null);
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x", client_id: id });
    const refused = await fetch(`${served.origin}/oauth/token`, { method: "POST", body });
    assert.match(await refused.text(), /invalid_client/);
    assert.deepEqual(fetched, []);
    assert.equal((await ask(CLIENT)).status, 303);
  });

  it("is rejected when its URL is too long for the log", async () => {
    const id = `https://client.example/${"x".repeat(512)}`;
    answer = () => Response.json({ ...DOCUMENT, client_id: id });
    assert.equal((await ask(id)).location, null);
  });

  it("cannot redirect to a URI that its document does not list", async () => {
    const { status, location } = await ask(CLIENT, "https://evil.example/callback");
    assert.deepEqual([status, location], [400, null]);
  });

  for (const id of [
    "http://client.example/x.json",
    "https://user@client.example/x.json",
    "https://client.example/../x.json",
    "https://client.example/x.json#y",
  ]) {
    it(`is not fetched from ${id}`, async () => {
      assert.equal((await ask(id)).location, null);
      assert.deepEqual(fetched, []);
    });
  }
});
