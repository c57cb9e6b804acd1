import assert from "node:assert/strict";
import { it } from "node:test";
import { exactNumber, isObject, parseVerbatim, parseWithBigInts, stringifyExact } from "./json.ts";

const NUMBERS = '[9007199254740993,-18446744073709551615,1.0,1e400,0.1000000000000000055,{"id":1234567890123456789}]';

it("keeps each number as it was written when the value is only shown", () => {
  assert.equal(stringifyExact(parseVerbatim(NUMBERS)), NUMBERS);
  assert.throws(() => parseVerbatim('{"a":'), SyntaxError);
});

it("keeps every digit of whole numbers for editing, and ordinary numbers are numbers", () => {
  const value = parseWithBigInts('{"id":9007199254740993,"few":12,"part":0.5,"text":"9007199254740993"}');
  assert.deepEqual(value, { id: 9_007_199_254_740_993n, few: 12, part: 0.5, text: "9007199254740993" });
  assert.equal(stringifyExact(value), '{"id":9007199254740993,"few":12,"part":0.5,"text":"9007199254740993"}');
  assert.deepEqual([exactNumber("-9007199254740993"), exactNumber("7")], [-9_007_199_254_740_993n, 7]);
  assert.equal(stringifyExact(undefined), undefined);
});

it("tells objects from everything else, and a number that kept its text is no object", () => {
  for (const value of [null, [], "{}", 7, undefined, parseVerbatim("9007199254740993")]) {
    assert.equal(isObject(value), false, stringifyExact(value));
  }
  assert.equal(isObject(parseVerbatim('{"a":1}')), true);
});
