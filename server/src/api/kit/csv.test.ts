import assert from "node:assert/strict";
import { it } from "node:test";
import { csvLine } from "./csv.ts";

it("writes text, numbers, and null, and quotes only where necessary", () => {
  assert.equal(csvLine(["a", 1.5, null, "b"]), "a,1.5,,b\r\n");
  assert.equal(csvLine(['say "hi"', "a,b", "two\nlines", ""]), '"say ""hi""","a,b","two\nlines",\r\n');
});

it("escapes text that a spreadsheet would run as a formula", () => {
  for (const formula of ["=1+1", "+1", "-1", "@SUM(A1)", "|x", "＝1", "＋1", "－1", "＠x"]) {
    assert.equal(csvLine([formula]), `'${formula}\r\n`);
  }
  for (const formula of ["\t=1", "\r1", "\n=1", "  =cmd", "=a,b"])
    assert.equal(csvLine([formula]), `"'${formula}"\r\n`);
  assert.equal(csvLine([-1]), "-1\r\n");
});
