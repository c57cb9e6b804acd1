import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DiscoveredOAuth } from "#storage/oauth-tables";
import { bindingKey, chooseAuthMethod, judgeRegistration } from "./register.ts";

const CALLBACK = "https://gatehouse.example/oauth/callback";
const sound = {
  client_id: "c",
  client_secret: "s",
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: "client_secret_post",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
};
const judge = (changes: object) => judgeRegistration({ ...sound, ...changes }, CALLBACK, "client_secret_post");

describe("a registration response (Spec 4.6 row 2, OA-10)", () => {
  it("is accepted when it is valid", async () => {
    const taken = { clientId: "c", clientSecret: "s", authMethod: "client_secret_post", secretExpiresAt: null };
    assert.deepEqual(await judge({}), taken);
    assert.deepEqual(await judge({ client_secret_expires_at: 0 }), taken);
    assert.deepEqual(await judge({ client_secret_expires_at: 5 }), { ...taken, secretExpiresAt: 5_000 });
    const isPublic = { ...taken, clientSecret: undefined, authMethod: "none" };
    assert.deepEqual(await judge({ token_endpoint_auth_method: "none" }), isPublic);
    assert.deepEqual(await judge({ token_endpoint_auth_method: undefined, client_secret: undefined }), isPublic);
  });

  const refused: [string, object][] = [
    ["redirect_uris: expected array, received undefined", { redirect_uris: undefined }],
    ["redirect_uris: expected array, received string", { redirect_uris: CALLBACK }],
    ["redirect_uris: expected array, received null", { redirect_uris: null }],
    [`redirect_uris: must be the same as sent, ["${CALLBACK}"]`, { redirect_uris: [] }],
    [`redirect_uris: must be the same as sent, ["${CALLBACK}"]`, { redirect_uris: [CALLBACK, "https://evil.example"] }],
    ["client_id: must be a string", { client_id: undefined }],
    ["client_id: must be at most 512 characters", { client_id: "x".repeat(513) }],
    ["client_secret: expected string, received undefined", { client_secret: undefined }],
    ["client_secret: must not be empty", { client_secret: "" }],
    ["client_secret_expires_at: must be a non-negative number", { client_secret_expires_at: -1 }],
    ["client_secret_expires_at: must be a number", { client_secret_expires_at: "soon" }],
    ["invalid_redirect_uri no loopback", { error: "invalid_redirect_uri", error_description: "no loopback" }],
    ["grant_types: must contain authorization_code", { grant_types: ["implicit"] }],
    ["response_types: must contain code", { response_types: ["token"] }],
  ];
  for (const [reason, changes] of refused) {
    it(`is rejected: ${reason}`, async () => assert.equal(await judge(changes), reason));
  }

  it("is rejected when it is not an object", async () => {
    assert.equal(await judgeRegistration(undefined, CALLBACK, "none"), "expected object, received undefined");
  });
});

describe("authentication at a token endpoint", () => {
  it("uses an offered method, or the default of RFC 8414", () => {
    assert.equal(chooseAuthMethod(["none", "client_secret_post"]), "client_secret_post");
    assert.equal(chooseAuthMethod(["private_key_jwt", "client_secret_basic"]), "client_secret_basic");
    assert.equal(chooseAuthMethod(["none"]), "none");
    assert.equal(chooseAuthMethod(undefined), "client_secret_basic");
  });
});

describe("the binding of a registration (OA-4)", () => {
  it("includes issuer, endpoints, and callback", () => {
    const found: DiscoveredOAuth = {
      issuer: "https://a",
      authorizationEndpoint: "https://a/authorize",
      tokenEndpoint: "https://a/token",
      registrationEndpoint: "https://a/register",
      resource: "https://a/mcp",
      scopes: [],
    };
    const keys = [
      bindingKey(found, CALLBACK),
      bindingKey({ ...found, issuer: "https://b" }, CALLBACK),
      bindingKey({ ...found, tokenEndpoint: "https://b/token" }, CALLBACK),
      bindingKey({ ...found, registrationEndpoint: "https://b/register" }, CALLBACK),
      bindingKey(found, "https://other.example/oauth/callback"),
    ];
    assert.equal(new Set(keys).size, keys.length);
    assert.equal(bindingKey({ ...found, scopes: ["x"] }, CALLBACK), keys[0]);
  });
});
