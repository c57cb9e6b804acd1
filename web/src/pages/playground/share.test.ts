import assert from "node:assert/strict";
import { it } from "node:test";
import { readSharedArguments, sharedArguments } from "./share.ts";

it("restores any arguments from a link", () => {
  for (const given of [
    {},
    { text: 'naïve 🙂 +/= \u0000 \\ "' },
    [1, null, { a: [] }],
    { id: 9_007_199_254_740_993n },
    "x".repeat(100_000),
    null,
  ]) {
    const hash = sharedArguments(given);
    assert.match(hash, /^arguments=[\w-]+$/);
    assert.deepEqual(readSharedArguments(`#${hash}`), { given });
  }
});

it("ignores other hashes", () => {
  for (const hash of ["", "#", "#top", "#arguments=", "#arguments=!", "#arguments=e30x"]) {
    assert.equal(readSharedArguments(hash), undefined, hash);
  }
});
