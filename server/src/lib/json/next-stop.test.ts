import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import fc from "fast-check";
import loadWabt from "wabt";
import { seedFor } from "#test/seed";
import { MODULE_BYTES, StopFinder } from "./next-stop.ts";

const STOPS = new Set([...Array(0x20).keys(), 0x22, 0x5c]);

describe("the finder of stops", () => {
  it("runs the bytes that next-stop.wat assembles to", async () => {
    const wabt = await loadWabt();
    const text = readFileSync(new URL("next-stop.wat", import.meta.url), "utf8");
    const module = wabt.parseWat("next-stop.wat", text, { simd: true });
    const { buffer } = module.toBinary({ canonicalize_lebs: true, write_debug_names: false });
    assert.equal(MODULE_BYTES.toString("hex"), Buffer.from(buffer).toString("hex"));
  });

  it("finds every quote, backslash and control character, at any position of a vector", () => {
    const finder = new StopFinder();
    for (let byte = 0; byte < 256; byte++) {
      for (let at = 0; at < 40; at++) {
        const chunk = Buffer.alloc(40, "a");
        chunk[at] = byte;
        assert.equal(finder.next(chunk, 0), STOPS.has(byte) ? at : chunk.length, `${byte} at ${at}`);
        finder.release();
      }
    }
  });

  it("agrees with a search byte by byte, from any start and across windows", (test) => {
    const chunk = fc
      .tuple(fc.integer({ min: 0, max: 40_000 }), fc.array(fc.nat(40_000)), fc.constantFrom('"', "\\", "\n"))
      .map(([length, stops, stop]) => {
        const bytes = Buffer.alloc(length, "x");
        for (const at of stops) if (at < length) bytes.write(stop, at);
        return bytes;
      });
    const property = fc.property(chunk, fc.array(fc.nat(40_000)), (bytes, starts) => {
      const finder = new StopFinder();
      for (const from of starts.filter((start) => start < bytes.length)) {
        const found = bytes.subarray(from).findIndex((byte) => STOPS.has(byte));
        assert.equal(finder.next(bytes, from), found < 0 ? bytes.length : from + found);
      }
    });
    fc.assert(property, { seed: seedFor(test) });
  });

  it("keeps two finders apart when each releases before the other searches", () => {
    const [one, other] = [new StopFinder(), new StopFinder()];
    const [first, second] = [Buffer.from('aaaa"aaaa'), Buffer.from('bb"bbbbbb')];
    for (let round = 0; round < 3; round++) {
      assert.equal(one.next(first, 0), 4);
      one.release();
      assert.equal(other.next(second, 0), 2);
      other.release();
    }
  });
});
