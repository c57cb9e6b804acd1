import assert from "node:assert/strict";
import { it } from "node:test";
import { exactNumber, parseExact, verbatim, writeExact } from "./exact-json.ts";

const NUMBERS = '[9007199254740993,-18446744073709551615,1.0,1e400,0.1000000000000000055,{"id":1234567890123456789}]';

it("what is only shown keeps each number as it was written", () => {
  assert.equal(writeExact(verbatim(NUMBERS)), NUMBERS);
  assert.throws(() => verbatim('{"a":'), SyntaxError);
});

it("what is worked with keeps every digit of whole numbers, and ordinary ones are numbers", () => {
  const value = parseExact('{"id":9007199254740993,"few":12,"part":0.5,"text":"9007199254740993"}');
  assert.deepEqual(value, { id: 9_007_199_254_740_993n, few: 12, part: 0.5, text: "9007199254740993" });
  assert.equal(writeExact(value), '{"id":9007199254740993,"few":12,"part":0.5,"text":"9007199254740993"}');
  assert.deepEqual([exactNumber("-9007199254740993"), exactNumber("7")], [-9_007_199_254_740_993n, 7]);
  assert.equal(writeExact(undefined), undefined);
});
