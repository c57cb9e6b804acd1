import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { randomBase62, systemRandom, toBase62 } from "./random.ts";
import {
  accessKeyOf,
  hasValidChecksum,
  newAccessKey,
  newApiToken,
  newGatewayToken,
  newInvitationToken,
  newMachineSecret,
} from "./tokens.ts";

describe("Gatehouse credentials", () => {
  it("have a prefix per kind, 256 random bits and no colon (Spec 5.3)", () => {
    assert.match(newAccessKey(systemRandom), /^gh_ak_[0-9A-Za-z]{20}$/);
    assert.match(newMachineSecret(systemRandom), /^gh_sk_[0-9A-Za-z]{49}$/);
    assert.match(newInvitationToken(systemRandom), /^gh_iv_[0-9A-Za-z]{49}$/);
    assert.match(newApiToken(systemRandom), /^gh_at_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
  });

  it("for the gateway begin with an access key, which is not secret", () => {
    for (const [kind, prefix] of [
      ["oauth", "gh_oa_"],
      ["app", "gh_ap_"],
    ] as const) {
      const { accessKey, token } = newGatewayToken(systemRandom, kind);
      assert.ok(accessKey.startsWith(prefix) && token.startsWith(`${accessKey}_`) && hasValidChecksum(token));
      assert.equal(accessKeyOf(token), accessKey);
      for (const other of [`${token}x`, token.slice(1), accessKey, `${token}\n`])
        assert.equal(accessKeyOf(other), undefined);
    }
    assert.equal(accessKeyOf(newApiToken(systemRandom)), undefined);
  });

  it("have a valid checksum", () => {
    for (let i = 0; i < 100; i++) {
      assert.ok(hasValidChecksum(newMachineSecret(systemRandom)));
      assert.ok(hasValidChecksum(newApiToken(systemRandom)));
    }
  });

  it("with one mistyped character fail the checksum", () => {
    const token = newApiToken(systemRandom);
    fc.assert(
      fc.property(fc.nat({ max: token.length - 1 }), fc.string({ minLength: 1, maxLength: 1 }), (at, wrong) => {
        fc.pre(token[at] !== wrong);
        assert.equal(hasValidChecksum(token.slice(0, at) + wrong + token.slice(at + 1)), false);
      }),
    );
  });

  it("that are truncated or empty fail the checksum", () => {
    const token = newMachineSecret(systemRandom);
    for (let length = 0; length < token.length; length++) assert.equal(hasValidChecksum(token.slice(0, length)), false);
  });
});

describe("base 62", () => {
  it("discards bytes that would make some characters more likely", () => {
    const bytes = [248, 249, 250, 251, 252, 253, 254, 255, 0, 61, 62, 247];
    const text = randomBase62((size) => Uint8Array.from({ length: size }, (_, i) => bytes[i % bytes.length] ?? 0), 4);
    assert.equal(text, "0z0z");
  });

  it("requests more bytes while the random bytes are unusable", () => {
    let asked = 0;
    const text = randomBase62((size) => new Uint8Array(size).fill(asked++ === 0 ? 255 : 1), 5);
    assert.equal(text, "11111");
  });

  it("writes numbers with a fixed width", () => {
    assert.equal(toBase62(0, 6), "000000");
    assert.equal(toBase62(62 ** 6 - 1, 6), "zzzzzz");
    assert.ok(2 ** 32 < 62 ** 6, "a checksum of 32 bits fits");
  });
});
