import assert from "node:assert/strict";
import { it } from "node:test";
import { mappingText, readMapping } from "./group-mapping.ts";

it("what is written as lines is read back the same", () => {
  const mapping = { "eng-all": "Engineering", "cn=ops,dc=example": "Operations" };
  assert.deepEqual(readMapping(mappingText(mapping)), mapping);
  assert.deepEqual(readMapping("\n"), {});
});

it("a line that is no pair is refused", () => {
  for (const line of ["engineering", "= Engineering", "eng ="]) assert.equal(readMapping(line), undefined);
});
