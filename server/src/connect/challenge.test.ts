import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { readChallenge } from "./challenge.ts";

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
    ["survives nonsense", `Bearer ,,= "`, undefined, undefined],
  ];
  for (const [name, header, resourceMetadata, scope] of cases) {
    it(name, () => assert.deepEqual(readChallenge(header), { resourceMetadata, scope }));
  }
});
