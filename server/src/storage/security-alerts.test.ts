import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { AuditEntry } from "./audit-entry.ts";
import { securityAlertOf } from "./security-alerts.ts";

const AUTHOR = {
  actor: { kind: "user", id: "usr_1", name: "ada@example.com" },
  requestId: "r",
  address: "192.0.2.7",
} as const;
const target = { kind: "user", id: "usr_2", name: "eve@example.com" };
const alertOf = (entry: Omit<AuditEntry, "target">) => securityAlertOf({ ...entry, target }, AUTHOR, "aud_1");

const CASES: readonly [isAlert: boolean, entry: Omit<AuditEntry, "target">][] = [
  [true, { operation: "updateUser", before: { role: "member" }, after: { role: "owner" } }],
  [false, { operation: "updateUser", before: { role: "owner" }, after: { role: "owner", name: "New" } }],
  [false, { operation: "updateUser", before: { role: "owner" }, after: { role: "member" } }],
  [true, { operation: "createApiToken", after: { scopes: ["all"] } }],
  [false, { operation: "createApiToken", after: { scopes: ["admin:read"] } }],
  [true, { operation: "deleteApiToken", before: { scopes: ["admin:scim"] }, after: { reason: "lost" } }],
  [false, { operation: "deleteApiToken", before: { scopes: ["admin:read"] }, after: { reason: "lost" } }],
  [false, { operation: "deleteApiToken", before: { scopes: ["admin:scim"] } }],
  [true, { operation: "inviteUser", after: { resets_account: true } }],
  [false, { operation: "inviteUser", after: { resets_account: false } }],
  [true, { operation: "acceptInvitation", after: { resets_account: true } }],
  [false, { operation: "acceptInvitation", after: { resets_account: false } }],
  [true, { operation: "updateSettings", before: { sso: null }, after: { sso: { issuer: "https://idp.example.com" } } }],
  [true, { operation: "updateSettings", before: { local_sign_in: true }, after: { local_sign_in: false } }],
  [false, { operation: "updateSettings", before: { sso: null, a: 1 }, after: { sso: null, a: 2 } }],
  [true, { operation: "refreshTokenReused" }],
  [true, { operation: "noteOAuthChange" }],
  [true, { operation: "revealUserSecret" }],
  [true, { operation: "setUpOwner" }],
  [true, { operation: "disableWebhook" }],
  [false, { operation: "createGroup" }],
  [false, { operation: "toString" }],
];

describe("a security alert", () => {
  for (const [isAlert, entry] of CASES) {
    it(`${isAlert ? "is sent" : "is not sent"} for ${JSON.stringify(entry)}`, () => {
      assert.equal(alertOf(entry) !== undefined, isAlert);
    });
  }

  it("names the actor, the target and the audit entry, without the values of the change", () => {
    assert.deepEqual(alertOf({ operation: "createApiToken", after: { scopes: ["all"], token: "secret" } })?.data, {
      operation: "createApiToken",
      title: "An API token with all scopes was created",
      actor: { type: "user", name: "ada@example.com" },
      target: { type: "user", id: "usr_2", name: "eve@example.com" },
      ip: "192.0.2.7",
      audit_id: "aud_1",
    });
  });
});
