import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readConfig } from "./config.ts";

const BASE = { SMTP_HOST: "mail.example.com", SMTP_FROM: "Acme <gate@example.com>" };

describe("SMTP settings", () => {
  it("default to STARTTLS on the submission port", () => {
    assert.deepEqual(readConfig(BASE).smtp, {
      ...{ host: "mail.example.com", port: 587, security: "starttls", user: undefined, password: undefined },
      from: { name: "Acme", address: "gate@example.com" },
    });
  });

  it("use TLS from the first byte on port 465, and the name of the organization as the sender's name", () => {
    const { smtp } = readConfig({ ...BASE, SMTP_PORT: "465", SMTP_FROM: "gate@example.com", ORG_NAME: "Acme Ltd" });
    assert.deepEqual([smtp?.port, smtp?.security, smtp?.from.name], [465, "tls", "Acme Ltd"]);
    assert.equal(readConfig({ ...BASE, SMTP_TLS: "tls" }).smtp?.port, 465);
  });

  for (const [environment, message] of [
    [{ SMTP_FROM: "gate@example.com" }, "SMTP_FROM requires SMTP_HOST"],
    [{ SMTP_PASSWORD: "x" }, "SMTP_PASSWORD requires SMTP_HOST"],
    [{ SMTP_HOST: "mail.example.com" }, "SMTP_HOST requires SMTP_FROM, the address that emails are sent from"],
    [{ ...BASE, SMTP_HOST: "a b" }, 'SMTP_HOST must be a host name or an IP address, not "a b"'],
    [{ ...BASE, SMTP_PORT: "0" }, 'SMTP_PORT must be a number from 1 to 65535, not "0"'],
    [{ ...BASE, SMTP_TLS: "ssl" }, 'SMTP_TLS must be one of starttls, tls, none, not "ssl"'],
    [{ ...BASE, SMTP_USER: "x" }, "SMTP_USER and SMTP_PASSWORD must be set together"],
    [
      { ...BASE, SMTP_FROM: "a@b.example, c@d.example" },
      'SMTP_FROM must be an email such as Gatehouse <gatehouse@example.com>, not "a@b.example, c@d.example"',
    ],
    [
      { ...BASE, SMTP_TLS: "none", SMTP_USER: "x", SMTP_PASSWORD: "y" },
      "SMTP_PASSWORD requires SMTP_TLS=starttls or tls, because it must not be sent unencrypted",
    ],
  ] as const) {
    it(`rejects ${JSON.stringify(environment)}`, () => {
      assert.throws(() => readConfig(environment), { message });
    });
  }
});
