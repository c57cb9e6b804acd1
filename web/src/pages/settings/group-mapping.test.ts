import assert from "node:assert/strict";
import { it } from "node:test";
import { mappingText, readMapping } from "./group-mapping.ts";

it("reads back the lines it wrote", () => {
  const mapping = { "eng-all": "Engineering", "cn=ops,dc=example": "Operations" };
  assert.deepEqual(readMapping(mappingText(mapping)), mapping);
  assert.deepEqual(readMapping("\n"), {});
});

it("rejects a line that is not a pair", () => {
  for (const line of ["engineering", "= Engineering", "eng ="]) assert.equal(readMapping(line), undefined);
});
