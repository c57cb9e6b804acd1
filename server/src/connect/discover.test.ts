import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, beforeEach, describe, it } from "node:test";
import { createEgress, LOOPBACK_ALLOW, parseAllowList } from "#egress/egress";
import type { StoredAuthSettings } from "#storage/server-tables";
import { type Customer, startCustomer } from "#test/oauth/customer";
import { discoverOAuth } from "./discover.ts";
import { DiscoveryFailed, StepLog } from "./fault.ts";
import { coversResource, resourceMetadataUrls, resourceOf, serverMetadataUrls } from "./well-known.ts";

const RESOURCE = "/.well-known/oauth-protected-resource";
const METADATA = "/.well-known/oauth-authorization-server";
const OPENID = "/.well-known/openid-configuration";

describe("URLs of metadata documents", () => {
  it("tries the resource metadata with the path inserted, then at the root (RFC 9728)", () => {
    assert.deepEqual(resourceMetadataUrls("https://a.example/x/mcp/?q#f"), [
      `https://a.example${RESOURCE}/x/mcp`,
      `https://a.example${RESOURCE}`,
    ]);
    assert.deepEqual(resourceMetadataUrls("https://a.example/"), [`https://a.example${RESOURCE}`]);
  });

  it("tries RFC 8414 first, then OpenID Connect in both forms", () => {
    assert.deepEqual(serverMetadataUrls("https://a.example"), [
      `https://a.example${METADATA}`,
      `https://a.example${OPENID}`,
    ]);
    assert.deepEqual(serverMetadataUrls("https://a.example/tenant"), [
      `https://a.example${METADATA}/tenant`,
      `https://a.example${OPENID}/tenant`,
      `https://a.example/tenant${OPENID}`,
    ]);
  });

  it("accepts the server's URL and parent paths as its resource (OA-5)", () => {
    assert.equal(resourceOf("https://A.example/mcp/#x"), "https://a.example/mcp");
    const server = "https://a.example/x/mcp";
    for (const good of [server, `${server}/`, "https://a.example/x", "https://a.example", "https://a.example/"]) {
      assert.equal(coversResource(good, server), true, good);
    }
    for (const bad of ["https://a.example/x/mc", "https://b.example/x/mcp", "http://a.example/x/mcp", "urn:x", ""]) {
      assert.equal(coversResource(bad, server), false, bad);
    }
  });
});

describe("discovery", () => {
  const egress = createEgress({ allow: parseAllowList(LOOPBACK_ALLOW) });
  let customer: Customer;
  let sound: Customer["behaviour"];
  before(async () => {
    customer = await startCustomer();
    sound = { ...customer.behaviour };
  });
  beforeEach(() => {
    Object.assign(customer.behaviour, sound, { resources: {}, instead: {} });
    customer.seen.length = 0;
  });
  after(async () => {
    await customer.close();
    egress.close();
  });

  const discover = (settings: StoredAuthSettings = {}, upstream_url = customer.url) =>
    discoverOAuth(egress, { upstream_url, upstream_transport: "http", auth_settings: settings }, new StepLog());
  const failure = async (settings?: StoredAuthSettings, url?: string) => {
    const failed = await discover(settings, url).then(
      () => assert.fail("it succeeded"),
      (error: unknown) => error,
    );
    assert.ok(failed instanceof DiscoveryFailed, String(failed));
    assert.equal(failed.steps.at(-1)?.concluded, failed.message);
    return failed.message;
  };
  const metadata = (changes: object) => {
    customer.behaviour.metadata = (whole) => ({ ...whole, ...changes });
  };
  const name = (issuer: string, more: object = {}) => {
    customer.behaviour.resources[`${RESOURCE}/mcp`] = {
      resource: customer.url,
      authorization_servers: [issuer],
      ...more,
    };
  };
  const documentAt = (path: string, issuer: string, changes: object = {}) => {
    const at = (endpoint: string) => `${customer.origin}${endpoint}`;
    const endpoints = { authorization_endpoint: at("/authorize"), token_endpoint: at("/token") };
    customer.behaviour.resources[path] = { issuer, ...endpoints, ...changes };
  };
  const askedFor = () => customer.seen.map((call) => call.path);

  describe("of a server that follows Spec 4.6", () => {
    it("reads the metadata at its origin", async () => {
      const found = await discover();
      assert.deepEqual(found, {
        issuer: customer.origin,
        authorizationEndpoint: `${customer.origin}/authorize`,
        tokenEndpoint: `${customer.origin}/token`,
        registrationEndpoint: `${customer.origin}/register`,
        resource: customer.url,
        scopes: [],
        authMethods: ["none", "client_secret_post"],
        grantTypes: ["authorization_code", "refresh_token"],
      });
      assert.deepEqual(askedFor(), ["/mcp", `${RESOURCE}/mcp`, RESOURCE, METADATA]);
      assert.ok(customer.seen.every((call) => call.authorization === undefined));
    });

    it("requests the tools too if a server accepts any initialize, and uses that challenge", async () => {
      customer.behaviour.challenge = 'scope="read"';
      customer.behaviour.openMethods = ["initialize"];
      assert.deepEqual((await discover()).scopes, ["read"]);
      assert.deepEqual(
        customer.to("/mcp").map((call) => call.fields.method),
        ["initialize", "tools/list"],
      );
      customer.behaviour.openMethods = ["initialize", "tools/list"];
      assert.deepEqual((await discover()).scopes, []);
    });

    it("uses the default endpoints of 2025-03-26 if there is no document", async () => {
      customer.behaviour.instead[METADATA] = (response) => void response.writeHead(404).end();
      const { authorizationEndpoint, tokenEndpoint, registrationEndpoint } = await discover();
      assert.deepEqual(
        [authorizationEndpoint, tokenEndpoint, registrationEndpoint],
        ["/authorize", "/token", "/register"].map((path) => customer.origin + path),
      );
    });

    it("finds no documents at a page that responds to everything with 200", async () => {
      const page = (response: ServerResponse) =>
        void response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
      for (const path of [`${RESOURCE}/mcp`, RESOURCE, METADATA, OPENID]) customer.behaviour.instead[path] = page;
      assert.equal((await discover()).tokenEndpoint, `${customer.origin}/token`);
    });

    it("tolerates a slash after an origin, and members that are null", async () => {
      metadata({ issuer: `${customer.origin}/`, registration_endpoint: null });
      const found = await discover();
      assert.deepEqual([found.issuer, found.registrationEndpoint], [`${customer.origin}/`, undefined]);
    });

    it("requires S256 only if the server lists challenge methods (D35, OA-2)", async () => {
      metadata({ code_challenge_methods_supported: undefined });
      await discover();
      metadata({ code_challenge_methods_supported: ["plain"] });
      assert.equal(await failure(), "code_challenge_methods_supported: must contain S256");
    });

    it("prefers an administrator's endpoints, and fetches no documents if both are set", async () => {
      const found = await discover({ tokenUrl: `${customer.origin}/other`, resource: "https://r.example/x" });
      assert.deepEqual(
        [found.tokenEndpoint, found.authorizationEndpoint, found.resource],
        [`${customer.origin}/other`, `${customer.origin}/authorize`, "https://r.example/x"],
      );
      customer.seen.length = 0;
      const authUrl = "http://login.example/authorize";
      const whole = await discover({ authUrl, tokenUrl: "http://login.example/token" });
      assert.deepEqual([whole.issuer, whole.resource], ["http://login.example", customer.url]);
      assert.deepEqual(askedFor(), []);
    });
  });

  describe("by current MCP revisions", () => {
    it("uses the metadata URL and the scope of the challenge", async () => {
      const at = "/elsewhere/metadata";
      customer.behaviour.challenge = `resource_metadata="${customer.origin}${at}", scope="read write"`;
      const issuers = [`${customer.origin}/tenant`];
      customer.behaviour.resources[at] = { resource: customer.url, authorization_servers: issuers };
      documentAt(`${METADATA}/tenant`, `${customer.origin}/tenant`, { scopes_supported: ["read", "offline_access"] });
      const found = await discover();
      assert.deepEqual([found.issuer, found.scopes], [issuers[0], ["read", "write", "offline_access"]]);
      assert.deepEqual(askedFor(), ["/mcp", at, `${METADATA}/tenant`]);
    });

    it("uses the resource's scopes if the challenge has none, and the exact spelling of the resource", async () => {
      name(customer.origin, { resource: `${customer.origin}/`, scopes_supported: ["a"] });
      const { resource, scopes } = await discover();
      assert.deepEqual([resource, scopes], [`${customer.origin}/`, ["a"]]);
    });

    for (const path of [`${METADATA}/tenant`, `${OPENID}/tenant`, `/tenant${OPENID}`]) {
      it(`finds an issuer with a path at ${path}`, async () => {
        const issuer = `${customer.origin}/tenant`;
        name(issuer);
        documentAt(path, issuer, {
          authorization_response_iss_parameter_supported: true,
          client_id_metadata_document_supported: true,
        });
        const found = await discover();
        assert.deepEqual([found.issuer, found.namesIssuer, found.readsClientDocuments], [issuer, true, true]);
      });
    }

    it("uses no default endpoints for a named issuer", async () => {
      name(`${customer.origin}/tenant`);
      assert.equal(await failure(), "the authorization server has no metadata document");
    });

    it("requires an administrator's issuer to be among the named ones", async () => {
      name("https://other.example");
      assert.equal(await failure({ issuer: customer.origin }), `authorization_servers: lacks ${customer.origin}`);
      name("https://other.example", { authorization_servers: ["https://other.example", customer.origin] });
      assert.equal((await discover({ issuer: customer.origin })).issuer, customer.origin);
    });
  });

  describe("of invalid or hostile servers", () => {
    const wrong: [string, object][] = [
      ["issuer: must be ORIGIN", { issuer: "https://evil.example" }],
      ["token_endpoint: expected string, received undefined", { token_endpoint: undefined }],
      ["authorization_endpoint: must be an https URL", { authorization_endpoint: "javascript:alert(1)" }],
      ["authorization_endpoint: must be an https URL", { authorization_endpoint: "data:text/html,x" }],
      ["authorization_endpoint: must be an https URL", { authorization_endpoint: "https://user@a.example/" }],
      ["authorization_endpoint: must have no fragment", { authorization_endpoint: "https://a.example/#x" }],
      ["token_endpoint: must be an https URL", { token_endpoint: "file:///etc/passwd" }],
      ["response_types_supported: must contain code", { response_types_supported: ["token"] }],
      ["registration_endpoint: expected string, received number", { registration_endpoint: 5 }],
    ];
    for (const [reason, changes] of wrong) {
      it(`refuses ${JSON.stringify(changes)}: ${reason}`, async () => {
        metadata(changes);
        assert.equal(await failure(), reason.replace("ORIGIN", customer.origin));
      });
    }

    it("compares the issuer named by a resource exactly (OA-3)", async () => {
      name(`${customer.origin}/tenant`);
      documentAt(`${METADATA}/tenant`, `${customer.origin}/tenant/`);
      assert.equal(await failure(), `issuer: must be ${customer.origin}/tenant`);
    });

    it("rejects the resource of another server (OA-5)", async () => {
      name(customer.origin, { resource: "https://bank.example/mcp" });
      assert.equal(await failure(), `resource: must be ${customer.url}`);
    });

    it("does not follow documents and endpoints with internal addresses (OA-6)", async () => {
      for (const inward of ["http://169.254.169.254/latest", "http://10.0.0.1/token", "http://[fd00:ec2::254]/x"]) {
        customer.behaviour.challenge = `resource_metadata="${inward}"`;
        assert.match(await failure(), /not (?:allowed|reached)|never|private|EGRESS_ALLOW/, inward);
        customer.behaviour.challenge = "x=y";
        metadata({ token_endpoint: inward });
        assert.match(await failure(), /not (?:allowed|reached)|never|private|EGRESS_ALLOW/, inward);
        metadata({});
      }
    });

    it("rejects a document URL that is not http or https", async () => {
      customer.behaviour.challenge = 'resource_metadata="file:///etc/passwd"';
      assert.equal(await failure(), "resource_metadata: must be an https URL");
    });

    it("rejects plain http endpoints of an https server", async () => {
      const settings = { authUrl: "http://a.example/authorize", tokenUrl: "https://a.example/token" };
      assert.equal(await failure(settings, "https://a.example/mcp"), "authUrl: must be an https URL");
    });

    it("stops at an endless response, a failing server, and a redirect loop", async () => {
      const endless = (response: ServerResponse) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end(`{"x": "${"x".repeat(1024 * 1024)}"}`);
      };
      customer.behaviour.instead[METADATA] = endless;
      assert.match(await failure(), /more than the 262144 bytes allowed/);
      customer.behaviour.instead[METADATA] = (response) => void response.writeHead(503).end();
      assert.equal(await failure(), `${customer.origin}${METADATA} answered HTTP 503`);
      customer.behaviour.instead[METADATA] = (response) => void response.writeHead(302, { location: METADATA }).end();
      assert.match(await failure(), /redirects more than 3 times/);
    });

    it("reports an unreachable server", async () => {
      assert.match(await failure({}, "http://127.0.0.1:1/mcp"), /not allowed|does not accept/);
    });
  });
});
