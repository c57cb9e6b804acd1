import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { claimAt, mapClaimGroups, readClaimGroups } from "./claim-groups.ts";

describe("groups from claims", () => {
  it("accepts a text or an array, and keeps each group once in the order of the claim", () => {
    for (const [claim, groups] of [
      ["Engineering", ["Engineering"]],
      [
        ["b", "a", "b"],
        ["b", "a"],
      ],
      [
        ["a", 7, null, { a: 1 }, ["c"], "", "  ", " padded "],
        ["a", "padded"],
      ],
      [[], []],
      [{ a: 1 }, []],
      [undefined, []],
      [null, []],
      [true, []],
    ] as const) {
      assert.deepEqual(mapClaimGroups({ groups: claim }, { group_claim: "groups" }), groups);
    }
  });

  it("maps the provider's groups, and reports those that the map does not contain", () => {
    const claims = { groups: ["eng-all", "eng-core", "sales", "sales"] };
    const group_map = { "eng-all": "Engineering", "eng-core": "Engineering" };
    assert.deepEqual(readClaimGroups(claims, { group_claim: "groups", group_map }), {
      groups: ["Engineering"],
      unmapped: ["sales"],
    });
    assert.deepEqual(mapClaimGroups(claims, { group_claim: "groups", group_map: {} }), []);
  });

  it("finds nested claims by a dotted path, and names with dots or slashes by segments", () => {
    const claims = {
      realm_access: { roles: ["one"] },
      "https://example.com/groups": ["two"],
      resource_access: { "my.app": { roles: "three" } },
      "a.b": ["whole name"],
      a: { b: ["nested"] },
    };
    for (const [path, groups] of [
      ["realm_access.roles", ["one"]],
      [["realm_access", "roles"], ["one"]],
      ["https://example.com/groups", ["two"]],
      [["https://example.com/groups"], ["two"]],
      [["resource_access", "my.app", "roles"], ["three"]],
      ["resource_access.my.app.roles", []],
      ["a.b", ["whole name"]],
      [["a", "b"], ["nested"]],
      ["realm_access.roles.0", []],
      ["missing", []],
      ["", []],
      [[], []],
    ] as const) {
      assert.deepEqual(mapClaimGroups(claims, { group_claim: path }), groups, JSON.stringify(path));
    }
    assert.deepEqual(mapClaimGroups(claims, { group_claim: null }), []);
    assert.deepEqual(mapClaimGroups(claims, {}), []);
  });

  it("ignores inherited properties of claims and of the map", () => {
    assert.equal(claimAt({}, "constructor"), undefined);
    assert.equal(claimAt({ a: {} }, "a.__proto__"), undefined);
    assert.deepEqual(
      mapClaimGroups({ groups: ["constructor", "__proto__"] }, { group_claim: "groups", group_map: {} }),
      [],
    );
    const group_map = JSON.parse('{"__proto__": "Engineering"}');
    assert.deepEqual(mapClaimGroups({ groups: ["__proto__"] }, { group_claim: "groups", group_map }), ["Engineering"]);
  });

  it("limits the number and the length of values", () => {
    const groups = Array.from({ length: 5_000 }, (_, index) => `group ${index}`);
    assert.equal(mapClaimGroups({ groups }, { group_claim: "groups" }).length, 2_000);
    assert.deepEqual(mapClaimGroups({ groups: ["x".repeat(1_001)] }, { group_claim: "groups" }), []);
  });
});
