import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { firstBytes } from "./first-bytes.ts";

/** Texts with characters of one to four bytes. */
const texts = fc.string({ unit: "binary", maxLength: 60 });

describe("the first bytes of a text", () => {
  it("fit into the limit, are the longest such beginning, and split no character", () => {
    fc.assert(
      fc.property(texts, fc.nat(100), (text, limit) => {
        const cut = firstBytes(text, limit);
        assert.ok(cut.isWellFormed() && text.startsWith(cut));
        assert.ok(Buffer.byteLength(cut) <= limit);
        const [next = ""] = text.slice(cut.length);
        assert.ok(next === "" || Buffer.byteLength(cut) + Buffer.byteLength(next) > limit);
      }),
    );
  });

  it("are the complete text if it fits", () => {
    fc.assert(fc.property(texts, (text) => assert.equal(firstBytes(text, Buffer.byteLength(text)), text)));
  });

  it("have replacement characters instead of lone surrogates", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0xffff), { maxLength: 40 }), fc.nat(60), (units, limit) => {
        const cut = firstBytes(String.fromCharCode(...units), limit);
        assert.ok(cut.isWellFormed() && Buffer.byteLength(cut) <= limit);
        assert.ok(
          String.fromCharCode(...units)
            .toWellFormed()
            .startsWith(cut),
        );
      }),
    );
  });
});
