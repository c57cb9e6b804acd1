import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { entropyOf } from "#policy/secrets/entropy";
import { keccak256 } from "./pii/keccak.ts";
import { isLuhn, isMod97, isUsSsn } from "./validators.ts";

describe("validators", () => {
  it("accept published examples and reject changed digits", () => {
    assert.ok(isLuhn("79927398713") && !isLuhn("79927398710") && !isLuhn(""));
    assert.ok(isMod97("GB82WEST12345698765432") && !isMod97("GB82WEST12345698765433"));
    assert.ok(isUsSsn("123456789"));
    for (const ssn of ["000456789", "666456789", "900456789", "123006789", "123450000", "12345678"])
      assert.ok(!isUsSsn(ssn), ssn);
    assert.equal(entropyOf("aaaa"), 0);
    assert.equal(entropyOf("abcd"), 2);
  });

  it("compute Keccak-256 as Ethereum does", () => {
    const digest = (text: string) => keccak256(Buffer.from(text)).toString("hex");
    assert.equal(digest(""), "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470");
    assert.equal(digest("abc"), "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45");
  });
});
