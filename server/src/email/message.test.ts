import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { EmailData, EmailKind } from "#storage/email-tables";
import { messageOf } from "./message.ts";

const CONTEXT = { baseUrl: "https://gate.example.com", orgName: "Acme", token: undefined };
const textOf = (kind: EmailKind, data: EmailData) => messageOf({ kind, data, events: 1, expires_at: 0 }, CONTEXT).text;

describe("the text of an email", () => {
  it("reports a reset by the first single sign-on without a link or its creator", () => {
    const text = textOf("account_reset", { name: "Ada", reason: "sso", invited_by: null, address: "192.0.2.7" });
    assert.match(text, /with single sign-on for the first time, from 192\.0\.2\.7\. The password .* was removed/);
    assert.doesNotMatch(text, /link/);
  });

  it("explains how to turn a notice off, unless it is about the security of the account", () => {
    const footer = /Turn such emails off at https:\/\/gate\.example\.com\/account/;
    assert.match(textOf("access_decided", { server: "Linear", status: "denied", decided_by: "Grace" }), footer);
    for (const kind of ["account_reset", "password_changed", "invitation"] as const)
      assert.doesNotMatch(textOf(kind, { name: "Ada", address: "192.0.2.7" }), footer);
  });
});
