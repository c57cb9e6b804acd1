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

/** Counts its work, so that a test can see what an unknown key costs. */
class CountingVerifier implements SecretVerifier {
  readonly asked: number[] = [];

  verifier(secret: string, pepperVersion: number): Uint8Array | undefined {
    this.asked.push(pepperVersion);
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
      NOBODY: credential("nobody"),
      TOKEN: credential("bot", { kind: "oauth" }),
      LOSTPEPPER: credential("bot", { pepperVersion: 3 }),
      SHORT: credential("bot", { verifier: Buffer.alloc(16).toString("base64") }),
    },
  });

  const ask = (header: string | undefined) => authenticate(header, snapshot, verifier, NOW);

  it("knows a machine by its key and secret", () => {
    assert.deepEqual(ask(`Bearer KEY:${secret}`), {
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
      },
    });
  });

  describe("a token", () => {
    const person = exampleUser("person", [], { isMachine: false });
    const { accessKey, token } = newGatewayToken(systemRandom, "oauth");
    const entry = (rest: Partial<CredentialEntry> = {}) => ({
      ...credential("person", { kind: "oauth", clientId: "cli_1", path: "/mcp/wiki", expiresAt: NOW + 1, ...rest }),
      verifier: Buffer.from(verifier.verifier(token, 2) ?? []).toString("base64"),
    });
    const askWith = (header: string, rest?: Partial<CredentialEntry>, at = NOW) => {
      const snapshot = exampleSnapshot({
        users: [person],
        credentials: { [accessKey]: entry(rest), KEY: credential("person") },
      });
      return authenticate(header, snapshot, verifier, at);
    };

    it("stands for a person, for the client that holds it and for where it counts", () => {
      const verdict = askWith(`Bearer ${token}`);
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

    it("of the app needs no client", () => {
      const verdict = askWith(`bearer ${token}`, { kind: "app", clientId: undefined, path: undefined });
      assert.deepEqual(verdict.kind === "principal" && [verdict.principal.via, verdict.principal.path], [
        "app",
        undefined,
      ]);
    });

    it("ends by the clock, remembered or not", () => {
      assert.equal(askWith(`Bearer ${token}`).kind, "principal");
      assert.deepEqual(askWith(`Bearer ${token}`, {}, NOW + 1), { kind: "invalid" });
    });

    for (const [what, header] of [
      ["its name alone", `Bearer ${accessKey}`],
      ["its halves as a pair", `Bearer ${accessKey}:${token.slice(accessKey.length + 1)}`],
      ["itself as the secret of a pair", `Bearer ${accessKey}:${token}`],
      ["a machine user's secret", `Bearer ${secret}`],
      ["an API token", `Bearer ${newApiToken(systemRandom)}`],
      ["one letter less", `Bearer ${token.slice(0, -1)}`],
      ["one letter more", `Bearer ${token}x`],
      ["another scheme", `Basic ${token}`],
      ["two of them", `Bearer ${token}, Bearer ${token}`],
    ] as const) {
      it(`is not ${what} (AUTH-3)`, () => assert.deepEqual(askWith(header), { kind: "invalid" }));
    }

    it("is not a machine user's key, even if it proves it", () => {
      assert.deepEqual(askWith(`Bearer ${token}`, { kind: "machine_key" }), { kind: "invalid" });
    });

    it("that nobody knows yet is worth a look at the database if it is well made", () => {
      const { accessKey: other, token: unknown } = newGatewayToken(systemRandom, "app");
      assert.deepEqual(askWith(`Bearer ${unknown}`), { kind: "unknown-key", accessKey: other, secret: unknown });
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
      assert.equal(ask(`${header}:${secret}`).kind, "principal");
    });
  }

  const long = "x".repeat(9000);
  for (const [what, header] of [
    ["no header", undefined],
    ["an empty one", ""],
    ["the scheme alone", "Bearer"],
    ["the scheme and a space", "Bearer "],
    ["another scheme", `Basic KEY:${secret}`],
    ["no scheme", `KEY:${secret}`],
    ["a scheme grown together", `BearerKEY:${secret}`],
    ["the key alone", "Bearer KEY"],
    ["the secret alone", `Bearer ${secret}`],
    ["an empty secret", "Bearer KEY:"],
    ["an empty key", `Bearer :${secret}`],
    ["a colon alone", "Bearer :"],
    ["one colon more inside", `Bearer KEY:${secret}:x`],
    ["one colon more at the end", `Bearer KEY:${secret}:`],
    ["one colon more in front", `Bearer :KEY:${secret}`],
    ["two values joined", `Bearer KEY:${secret}, Bearer KEY:${secret}`],
    ["a space inside", `Bearer KEY: ${secret}`],
    ["a space at the end", `Bearer KEY:${secret} `],
    ["a line feed at the end", `Bearer KEY:${secret}\n`],
    ["a tab instead of the space", `Bearer\tKEY:${secret}`],
    ["a NUL", `Bearer KEY\0:${secret}`],
    ["letters beyond ASCII", `Bearer KÉY:${secret}`],
    ["more than 8 KiB", `Bearer KEY:${secret}${long}`],
    ["an invented secret", "Bearer KEY:invented-secret"],
    ["a secret cut short", `Bearer KEY:${secret.slice(0, -1)}`],
    ["a key in other case", `Bearer key:${secret.slice(0, -1)}-`],
    ["an unknown key with an invented secret", "Bearer NONE:invented-secret"],
    ["an expired credential", `Bearer EXPIRED:${secret}`],
    ["a disabled user", `Bearer DISABLED:${secret}`],
    ["a user who is gone", `Bearer NOBODY:${secret}`],
    ["a credential that is no machine key", `Bearer TOKEN:${secret}`],
  ] as const) {
    it(`refuses ${what} (AUTH-4)`, () => {
      assert.deepEqual(ask(header), { kind: "invalid" });
    });
  }

  it("sends an unknown key to the database only when its secret is well made", () => {
    const accessKey = newAccessKey(systemRandom);
    assert.deepEqual(ask(`Bearer ${accessKey}:${secret}`), { kind: "unknown-key", accessKey, secret });
    assert.deepEqual(ask(`Bearer ${accessKey}:${secret}x`), { kind: "invalid" });
    assert.deepEqual(ask(`Bearer __proto__:${secret}x`), { kind: "invalid" });
  });

  for (const [what, accessKey, presented] of [
    ["a secret that is well made but not its own", "KEY", newMachineSecret(systemRandom)],
    ["a pepper that we do not have", "LOSTPEPPER", secret],
    ["a verifier of another length", "SHORT", secret],
  ] as const) {
    it(`sends a known key to the database too: ${what} (AUTH-5, SEC-8)`, () => {
      const verdict = { kind: "unknown-key", accessKey, secret: presented };
      assert.deepEqual(ask(`Bearer ${accessKey}:${presented}`), verdict);
    });
  }

  describe("while a rotation overlaps (SEC-8)", () => {
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
      it(`both secrets prove the key, the old one until its time is over, remembered or not (pepper ${pepperVersion})`, () => {
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

    it("a secret in use costs no HMAC, the old one neither, and a wrong one costs one (AUTH-5)", () => {
      const snapshot = rotated(2);
      for (const each of [newer, older]) at(snapshot, each, NOW);
      verifier.asked.length = 0;
      for (const each of [newer, older, older, newer]) at(snapshot, each, NOW);
      assert.equal(verifier.asked.length, 0);
      assert.equal(at(snapshot, "wrong", NOW), "invalid");
      assert.equal(verifier.asked.length, 1);
    });
  });

  it("does the same hashing for an unknown key as for a known one (AUTH-5)", () => {
    verifier.asked.length = 0;
    ask("Bearer KEY:wrong");
    ask("Bearer NONE:wrong");
    assert.equal(verifier.asked.length, 2);
    const empty = exampleSnapshot({});
    authenticate("Bearer NONE:wrong", empty, verifier, NOW);
    assert.equal(verifier.asked.length, 3);
  });
});
