import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { bearerParameters, neededScopes, readChallenge, type ScannedText } from "./challenge.ts";

const METADATA = "https://a.example/.well-known/oauth-protected-resource";

describe("the challenge of a 401", () => {
  const cases: [string, string | string[] | undefined, string | undefined, string | undefined][] = [
    ["is empty without a header", undefined, undefined, undefined],
    ["says where the metadata is", `Bearer resource_metadata="${METADATA}"`, METADATA, undefined],
    ["says the scope", `bearer realm="x", scope="read write"`, undefined, "read write"],
    ["takes bare values", "Bearer scope=read", undefined, "read"],
    ["is found among others", `Basic realm="a, b", Bearer scope="s", Digest scope="no"`, undefined, "s"],
    ["is found in a later header", ["Negotiate abc==", `Bearer scope="s"`], undefined, "s"],
    ["is not another scheme's", `DPoP scope="s"`, undefined, undefined],
    ["undoes escapes", `Bearer scope="a\\"b"`, undefined, 'a"b'],
    ["is not read when it is endless", `Bearer scope="${"x".repeat(5_000)}"`, undefined, undefined],
    ["is read after an empty list element", `, Bearer scope="s"`, undefined, "s"],
    ["takes spaces around the sign", `Bearer scope = "s"`, undefined, "s"],
    ["is not a longer name", `Bearer2 scope="s"`, undefined, undefined],
    ["ends with quotes that do not end", `Bearer scope="s", realm="x, y=z`, undefined, "s"],
    ["is not in the ninth header", [...Array(8).fill("Basic"), `Bearer scope="s"`], undefined, undefined],
    ["survives nonsense", `Bearer ,,= "`, undefined, undefined],
  ];
  for (const [name, header, resourceMetadata, scope] of cases) {
    it(name, () => assert.deepEqual(readChallenge(header), { resourceMetadata, scope }));
  }
});

describe("reading a challenge", () => {
  const LENGTH = 4_000;
  /** Texts that a parser with backtracking reads again from each position. */
  const HOSTILE: Readonly<Record<string, string>> = {
    "a long name without an end": `${"a".repeat(LENGTH - 1)};`,
    "names without ends": "a;".repeat(LENGTH / 2),
    "a name and spaces": `a${" ".repeat(LENGTH - 1)}`,
    "spaces before a sign that never comes": `${"a  ".repeat(LENGTH / 3)};`,
    "quotes that do not end": 'a="'.repeat(LENGTH / 3),
    "escapes without an end": `Bearer a="${"\\".repeat(LENGTH - 10)}`,
    signs: "=".repeat(LENGTH),
  };
  for (const [name, header] of Object.entries(HOSTILE)) {
    it(`takes a fixed number of steps per character for ${name} (GW-8)`, () => {
      let steps = 0;
      const counted: ScannedText = {
        length: header.length,
        charCodeAt: (at) => {
          steps++;
          return header.charCodeAt(at);
        },
        slice: (from, to) => header.slice(from, to),
      };
      bearerParameters(counted);
      assert.ok(steps <= 5 * header.length, `${steps} steps for ${header.length} characters`);
    });
  }
});

describe("neededScopes", () => {
  it("reads scopes only from an insufficient_scope challenge", () => {
    const long = `Bearer error="insufficient_scope", scope="${"x".repeat(5000)}"`;
    for (const [challenge, scopes] of [
      ['Bearer error="insufficient_scope", scope="a b"', ["a", "b"]],
      ["Bearer scope=a, error=insufficient_scope", ["a"]],
      ['Bearer realm="x", error="insufficient_scope"', []],
      ['Bearer error="invalid_token", scope="a"', []],
      ['Bearer error="insufficient_scope", scope="a \\" b"', ["a", "b"]],
      ['Basic realm="x", Bearer error="insufficient_scope", scope="a"', ["a"]],
      [long, []],
      ["", []],
    ] as const) {
      assert.deepEqual(neededScopes(challenge), scopes, challenge.slice(0, 80));
    }
  });
});
