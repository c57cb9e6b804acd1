import assert from "node:assert/strict";
import { it } from "node:test";
import type { Settings } from "./settings.ts";
import { signInChanges, signInErrors, signInField, signInValues } from "./sign-in-values.ts";

const SSO = {
  issuer: "https://idp.example.com",
  client_id: "gatehouse",
  has_client_secret: true,
  allowed_domains: ["example.com"],
  groups_claim: null,
  group_mapping: {},
  default_role: "member",
  auto_create: true,
} as const;
// Only the fields of this page are read.
const withSso = { local_sign_in: true, sso: SSO } as unknown as Settings;
const withoutSso = { local_sign_in: true, sso: null } as unknown as Settings;

it("sends nothing without changes, and only the part that changed", () => {
  const values = signInValues(withSso);
  assert.deepEqual(signInChanges(withSso, values), {});
  assert.deepEqual(signInChanges(withSso, { ...values, local_sign_in: false }), { local_sign_in: false });
});

it("keeps the client secret unless a new one is entered", () => {
  const values = { ...signInValues(withSso), auto_create: false };
  assert.equal("client_secret" in (signInChanges(withSso, values).sso ?? {}), false);
  const changed = signInChanges(withSso, { ...values, client_secret: "new" });
  assert.equal(changed.sso?.client_secret, "new");
});

it("removes single sign-on when it is turned off", () => {
  assert.deepEqual(signInChanges(withSso, { ...signInValues(withSso), sso: false }), { sso: null });
  assert.deepEqual(signInChanges(withoutSso, { ...signInValues(withoutSso), issuer: "typed" }), {});
});

it("reports missing fields only while single sign-on is on", () => {
  assert.deepEqual(signInErrors(signInValues(withoutSso)), {});
  const empty = { ...signInValues(withoutSso), sso: true, group_mapping: "x" };
  assert.deepEqual(Object.keys(signInErrors(empty)), ["issuer", "client_id", "allowed_domains", "group_mapping"]);
});

it("shows an error of the API at its field", () => {
  assert.equal(signInField("sso.allowed_domains.0"), "allowed_domains");
  assert.equal(signInField("local_sign_in"), "local_sign_in");
});
