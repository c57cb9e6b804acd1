import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { nextVersion } from "./plugins.ts";

describe("the next version of a plugin", () => {
  it("is the one that the API makes", () => {
    assert.equal(nextVersion(null, "major"), "1.0.0");
    const all = (latest: string) => (["patch", "minor", "major"] as const).map((bump) => nextVersion(latest, bump));
    assert.deepEqual(all("1.4.9"), ["1.4.10", "1.5.0", "2.0.0"]);
    assert.deepEqual(all("2.0.0-rc.1"), ["2.0.0", "2.0.0", "2.0.0"]);
    assert.deepEqual(all("1.2.3-a-b"), ["1.2.3", "1.3.0", "2.0.0"]);
  });
});
