import assert from "node:assert/strict";
import { createHmac } from "node:crypto";
import { describe, it } from "node:test";
import { systemRandom } from "#lib/random";
import { newAccessKey, newApiToken, newGatewayToken, newMachineSecret } from "#lib/tokens";
import { exampleSnapshot, exampleUser } from "#test/example-entries";
import type { SecretVerifier } from "../ports.ts";
import { authenticate } from "./authenticate.ts";
import type { CredentialEntry } from "./shape.ts";

const NOW = 1_800_000_000_000;

/** Counts HMACs, so a test can measure the cost of an unknown key. */
class CountingVerifier implements SecretVerifier {
  readonly pepperVersions: number[] = [];

  verifier(secret: string, pepperVersion: number): Uint8Array | undefined {
    this.pepperVersions.push(pepperVersion);
    if (pepperVersion > 2) return undefined;
    return createHmac("sha256", `pepper ${pepperVersion}`).update(secret).digest();
  }
}

describe("authenticate", () => {
  const secret = newMachineSecret(systemRandom);
  const verifier = new CountingVerifier();

  function credential(userId: string, rest: Partial<CredentialEntry> = {}): CredentialEntry {
    const pepperVersion = rest.pepperVersion ?? 2;
    return {
      id: `crd_${userId}`,
      kind: "machine_key",
      userId,
      verifier: Buffer.from(verifier.verifier(secret, pepperVersion) ?? []).toString("base64"),
      pepperVersion,
      expiresAt: undefined,
      previous: undefined,
      ...rest,
    };
  }

  const bot = exampleUser("bot", ["g"]);
  const snapshot = exampleSnapshot({
    users: [bot, exampleUser("person", [], { isMachine: false }), exampleUser("off", [], { disabled: true })],
    credentials: {
      KEY: credential("bot"),
      OLDPEPPER: credential("bot", { pepperVersion: 1 }),
      PERSON: credential("person"),
      LATER: credential("bot", { expiresAt: NOW + 1 }),
      EXPIRED: credential("bot", { expiresAt: NOW }),
      DISABLED: credential("off"),
      DELETED: credential("deleted"),
      TOKEN: credential("bot", { kind: "oauth" }),
      LOSTPEPPER: credential("bot", { pepperVersion: 3 }),
      SHORT: credential("bot", { verifier: Buffer.alloc(16).toString("base64") }),
    },
  });

  const check = (header: string | undefined) => authenticate(header, snapshot, verifier, NOW);

  it("authenticates a machine user by key and secret", () => {
    assert.deepEqual(check(`Bearer KEY:${secret}`), {
      kind: "principal",
      principal: {
        userId: "bot",
        email: "bot@example.com",
        kind: "machine",
        user: bot,
        credentialId: "crd_bot",
        via: "machine_key",
        clientId: "KEY",
        toolkit: undefined,
        actor: undefined,
        path: undefined,
        serverId: undefined,
      },
    });
  });

  describe("a gateway token", () => {
    const person = exampleUser("person", [], { isMachine: false });
    const { accessKey, token } = newGatewayToken(systemRandom, "oauth");
    const entry = (rest: Partial<CredentialEntry> = {}) => ({
      ...credential("person", { kind: "oauth", clientId: "cli_1", path: "/mcp/wiki", expiresAt: NOW + 1, ...rest }),
      verifier: Buffer.from(verifier.verifier(token, 2) ?? []).toString("base64"),
    });
    const checkToken = (header: string, rest?: Partial<CredentialEntry>, at = NOW) => {
      const snapshot = exampleSnapshot({
        users: [person],
        credentials: { [accessKey]: entry(rest), KEY: credential("person") },
      });
      return authenticate(header, snapshot, verifier, at);
    };

    it("identifies the user, the client that holds it, and the path it is valid for", () => {
      const verdict = checkToken(`Bearer ${token}`);
      assert.ok(verdict.kind === "principal");
      const { userId, kind, via, clientId, path } = verdict.principal;
      assert.deepEqual(
        { userId, kind, via, clientId, path },
        {
          userId: "person",
          kind: "person",
          via: "oauth",
          clientId: "cli_1",
          path: "/mcp/wiki",
        },
      );
    });

    it("of the app needs no client ID", () => {
      const verdict = checkToken(`bearer ${token}`, { kind: "app", clientId: undefined, path: undefined });
      assert.deepEqual(verdict.kind === "principal" && [verdict.principal.via, verdict.principal.path], [
        "app",
        undefined,
      ]);
    });

    it("expires by the clock, even when its proof is cached", () => {
      assert.equal(checkToken(`Bearer ${token}`).kind, "principal");
      assert.deepEqual(checkToken(`Bearer ${token}`, {}, NOW + 1), { kind: "invalid" });
    });

    for (const [what, header] of [
      ["only its access key", `Bearer ${accessKey}`],
      ["its parts as a key and secret pair", `Bearer ${accessKey}:${token.slice(accessKey.length + 1)}`],
      ["the token as the secret of a pair", `Bearer ${accessKey}:${token}`],
      ["a machine user's secret", `Bearer ${secret}`],
      ["an API token", `Bearer ${newApiToken(systemRandom)}`],
      ["a truncated token", `Bearer ${token.slice(0, -1)}`],
      ["a token with an extra character", `Bearer ${token}x`],
      ["another scheme", `Basic ${token}`],
      ["two tokens", `Bearer ${token}, Bearer ${token}`],
    ] as const) {
      it(`rejects ${what} (AUTH-3)`, () => assert.deepEqual(checkToken(header), { kind: "invalid" }));
    }

    it("is rejected if its credential is a machine user's key", () => {
      assert.deepEqual(checkToken(`Bearer ${token}`, { kind: "machine_key" }), { kind: "invalid" });
    });

    it("is checked in the database if it is unknown but well formed", () => {
      const { accessKey: other, token: unknown } = newGatewayToken(systemRandom, "app");
      assert.deepEqual(checkToken(`Bearer ${unknown}`), { kind: "unknown-key", accessKey: other, secret: unknown });
    });
  });

  for (const header of [
    "bearer KEY",
    "BEARER KEY",
    "Bearer   KEY",
    "Bearer OLDPEPPER",
    "Bearer LATER",
    "Bearer PERSON",
  ]) {
    it(`accepts "${header}:…"`, () => {
      assert.equal(check(`${header}:${secret}`).kind, "principal");
    });
  }

  const long = "x".repeat(9000);
  for (const [what, header] of [
    ["no header", undefined],
    ["an empty header", ""],
    ["only the scheme", "Bearer"],
    ["the scheme and a space", "Bearer "],
    ["another scheme", `Basic KEY:${secret}`],
    ["no scheme", `KEY:${secret}`],
    ["a scheme without a space", `BearerKEY:${secret}`],
    ["only the key", "Bearer KEY"],
    ["only the secret", `Bearer ${secret}`],
    ["an empty secret", "Bearer KEY:"],
    ["an empty key", `Bearer :${secret}`],
    ["only a colon", "Bearer :"],
    ["an extra colon inside", `Bearer KEY:${secret}:x`],
    ["an extra colon at the end", `Bearer KEY:${secret}:`],
    ["an extra colon at the start", `Bearer :KEY:${secret}`],
    ["two values joined", `Bearer KEY:${secret}, Bearer KEY:${secret}`],
    ["a space inside", `Bearer KEY: ${secret}`],
    ["a space at the end", `Bearer KEY:${secret} `],
    ["a line feed at the end", `Bearer KEY:${secret}\n`],
    ["a tab instead of the space", `Bearer\tKEY:${secret}`],
    ["a NUL", `Bearer KEY\0:${secret}`],
    ["characters outside ASCII", `Bearer KÉY:${secret}`],
    ["more than 8 KiB", `Bearer KEY:${secret}${long}`],
    ["a malformed secret", "Bearer KEY:invented-secret"],
    ["a truncated secret", `Bearer KEY:${secret.slice(0, -1)}`],
    ["a key in a different case", `Bearer key:${secret.slice(0, -1)}-`],
    ["an unknown key with a malformed secret", "Bearer NONE:invented-secret"],
    ["an expired credential", `Bearer EXPIRED:${secret}`],
    ["a disabled user", `Bearer DISABLED:${secret}`],
    ["a deleted user", `Bearer DELETED:${secret}`],
    ["a credential that is not a machine key", `Bearer TOKEN:${secret}`],
  ] as const) {
    it(`rejects ${what} (AUTH-4)`, () => {
      assert.deepEqual(check(header), { kind: "invalid" });
    });
  }

  it("checks an unknown key in the database only when its secret is well formed", () => {
    const accessKey = newAccessKey(systemRandom);
    assert.deepEqual(check(`Bearer ${accessKey}:${secret}`), { kind: "unknown-key", accessKey, secret });
    assert.deepEqual(check(`Bearer ${accessKey}:${secret}x`), { kind: "invalid" });
    assert.deepEqual(check(`Bearer __proto__:${secret}x`), { kind: "invalid" });
  });

  for (const [what, accessKey, presented] of [
    ["a well-formed secret of another key", "KEY", newMachineSecret(systemRandom)],
    ["an unknown pepper version", "LOSTPEPPER", secret],
    ["a verifier of the wrong length", "SHORT", secret],
  ] as const) {
    it(`checks a known key in the database: ${what} (AUTH-5, SEC-8)`, () => {
      const verdict = { kind: "unknown-key", accessKey, secret: presented };
      assert.deepEqual(check(`Bearer ${accessKey}:${presented}`), verdict);
    });
  }

  describe("during a rotation overlap (SEC-8)", () => {
    const older = newMachineSecret(systemRandom);
    const newer = secret;
    const rotated = (pepperVersion: number) => {
      const previous = {
        verifier: Buffer.from(verifier.verifier(older, pepperVersion) ?? []).toString("base64"),
        pepperVersion,
        expiresAt: NOW + 1000,
      };
      return exampleSnapshot({ users: [bot], credentials: { KEY: credential("bot", { previous }) } });
    };
    const at = (snapshot: ReturnType<typeof rotated>, secret: string, nowMs: number) =>
      authenticate(`Bearer KEY:${secret}`, snapshot, verifier, nowMs).kind;

    for (const pepperVersion of [1, 2]) {
      it(`accepts both secrets, the old one until it expires, cached or not (pepper ${pepperVersion})`, () => {
        const used = rotated(pepperVersion);
        for (const nowMs of [NOW, NOW, NOW + 999]) {
          assert.deepEqual([at(used, newer, nowMs), at(used, older, nowMs)], ["principal", "principal"]);
        }
        for (const snapshot of [used, rotated(pepperVersion)]) {
          assert.deepEqual(
            [at(snapshot, newer, NOW + 1000), at(snapshot, older, NOW + 1000)],
            ["principal", "unknown-key"],
          );
        }
      });
    }

    it("computes no HMAC for either secret in use, and one for a wrong secret (AUTH-5)", () => {
      const snapshot = rotated(2);
      for (const each of [newer, older]) at(snapshot, each, NOW);
      verifier.pepperVersions.length = 0;
      for (const each of [newer, older, older, newer]) at(snapshot, each, NOW);
      assert.equal(verifier.pepperVersions.length, 0);
      assert.equal(at(snapshot, "wrong", NOW), "invalid");
      assert.equal(verifier.pepperVersions.length, 1);
    });
  });

  it("computes as many HMACs for an unknown key as for a known one (AUTH-5)", () => {
    verifier.pepperVersions.length = 0;
    check("Bearer KEY:wrong");
    check("Bearer NONE:wrong");
    assert.equal(verifier.pepperVersions.length, 2);
    const empty = exampleSnapshot({});
    authenticate("Bearer NONE:wrong", empty, verifier, NOW);
    assert.equal(verifier.pepperVersions.length, 3);
  });
});
