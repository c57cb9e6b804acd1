import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bumpVersion, compareVersions, isVersion } from "./semantic-version.ts";

describe("semantic versions", () => {
  it("are three numbers, with an optional prerelease", () => {
    for (const text of ["0.0.0", "1.4.0", "10.20.30", "1.0.0-rc.1", "1.0.0-alpha-2.0a"])
      assert.ok(isVersion(text), text);
    const wrong = [
      "",
      "1",
      "1.2",
      "01.2.3",
      "1.2.3.4",
      "v1.2.3",
      "1.2.3-",
      "1.2.3-01",
      "1.2.3+5",
      "1.2.3\n",
      "9".repeat(10),
    ];
    for (const text of [...wrong, "9999999999.0.0", `1.0.0-${"a".repeat(60)}`]) assert.ok(!isVersion(text), text);
  });

  it("are ordered as the specification says", () => {
    const ordered = [
      ...["0.9.9", "1.0.0-1", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta", "1.0.0-beta.2"],
      ...["1.0.0-beta.11", "1.0.0-rc.1", "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0"],
    ];
    for (const [i, one] of ordered.entries())
      for (const [j, other] of ordered.entries())
        assert.equal(Math.sign(compareVersions(one, other)), Math.sign(i - j), `${one} and ${other}`);
  });

  it("are bumped to the next version, or from a prerelease to its release", () => {
    const bumps = (version: string) => (["patch", "minor", "major"] as const).map((bump) => bumpVersion(version, bump));
    assert.deepEqual(bumps("1.4.2"), ["1.4.3", "1.5.0", "2.0.0"]);
    assert.deepEqual(bumps("2.0.0-rc.1"), ["2.0.0", "2.0.0", "2.0.0"]);
    assert.deepEqual(bumps("1.2.3-rc.1"), ["1.2.3", "1.3.0", "2.0.0"]);
  });
});
