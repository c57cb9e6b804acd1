import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { systemClock } from "#lib/clock";
import { check, guard } from "#test/guard-kit";
import { matchesGlob } from "./glob.ts";
import { GuardSet } from "./guard-set.ts";

const CHECKS = [check("keyword", { words: ["x"] })];
const SUBJECT = {
  server: "github",
  tool: "github__create_issue",
  user: "ann@example.com",
  groups: ["Engineering", "All"],
};

function slugs(fields: object, subject: object = {}, direction: "request" | "response" = "request"): string[] {
  const set = new GuardSet([guard({ slug: "g", checks: CHECKS, ...fields })], systemClock);
  const select = () =>
    set.select({ ...SUBJECT, ...subject }, direction)?.guards.map((each) => each.definition.slug) ?? [];
  assert.deepEqual(select(), select(), "the remembered answer differs");
  return select();
}

describe("the scope of a guard", () => {
  for (const [name, scope, subject, applies] of [
    ["an empty scope", {}, {}, true],
    ["a listed server", { servers: ["github"] }, {}, true],
    ["another server", { servers: ["linear"] }, {}, false],
    ["an excluded server", { exclude_servers: ["github"] }, {}, false],
    ["a tool that matches a glob", { tools: ["github__create_*"] }, {}, true],
    ["a tool that matches no glob", { tools: ["*__delete_*", "linear__*"] }, {}, false],
    ["a resource, if tools are listed", { tools: ["*"] }, { tool: undefined }, false],
    ["a resource of a listed server", { servers: ["github"] }, { tool: undefined }, true],
    ["a member of a group", { groups: ["Sales", "Engineering"] }, {}, true],
    ["a caller outside of the groups", { groups: ["Sales"] }, {}, false],
    ["a listed user", { users: ["ann@example.com"] }, {}, true],
    ["another user", { users: ["bob@example.com"] }, {}, false],
    ["a caller that matches only one of two lists", { users: ["ann@example.com"], groups: ["Sales"] }, {}, false],
  ] as const) {
    it(`${applies ? "covers" : "does not cover"} ${name}`, () => {
      assert.deepEqual(slugs({ scope }, subject), applies ? ["g"] : []);
    });
  }

  it("includes the direction", () => {
    assert.deepEqual(slugs({ direction: "request" }, {}, "response"), []);
    assert.deepEqual(slugs({ direction: "response" }, {}, "response"), ["g"]);
    assert.deepEqual(slugs({ action: "require_approval", direction: "both" }, {}, "response"), []);
    assert.deepEqual(slugs({ action: "require_approval" }), ["g"]);
    const unchecked = { ...guard({ action: "require_approval", checks: CHECKS }), direction: "both" as const };
    assert.equal(new GuardSet([unchecked], systemClock).select(SUBJECT, "response"), undefined);
  });

  it("keeps servers apart that had the same gateway name, one after the other", () => {
    const set = new GuardSet([guard({ checks: CHECKS, scope: { servers: ["srv_1"] } })], systemClock);
    assert.ok(set.select({ ...SUBJECT, server: "srv_1" }, "request"));
    assert.equal(set.select({ ...SUBJECT, server: "srv_2" }, "request"), undefined);
  });

  it("remembers a bounded number of tools", () => {
    const set = new GuardSet([guard({ checks: CHECKS, scope: { servers: ["a"] } })], systemClock);
    for (let at = 0; at < 25_000; at++)
      assert.equal(set.select({ ...SUBJECT, tool: `b__${at}`, server: "b" }, "request"), undefined);
    assert.ok(set.select({ ...SUBJECT, tool: "a__x", server: "a" }, "request"));
  });
});

describe("GuardSet", () => {
  it("orders guards by priority and then by slug", () => {
    const one = (slug: string, priority: number) => guard({ slug, priority, checks: CHECKS });
    const set = new GuardSet([one("c", 100), one("b", 100), one("z", 1)], systemClock);
    assert.deepEqual(
      set.select(SUBJECT, "request")?.guards.map(({ definition }) => definition.slug),
      ["z", "b", "c"],
    );
  });

  it("selects build-time guards by entity type, and never for calls", () => {
    const set = new GuardSet([guard({ type: "buildtime", entity_types: ["skill"], checks: CHECKS })], systemClock);
    assert.equal(set.selectBuildtime("skill")?.guards.length, 1);
    assert.equal(set.selectBuildtime("tool"), undefined);
    assert.equal(set.select(SUBJECT, "request"), undefined);
    assert.equal(set.hasRuntimeGuards, false);
  });
});

describe("matchesGlob", () => {
  it("matches any characters with a star and one with a question mark", () => {
    for (const [glob, text, matches] of [
      ["*", "", true],
      ["a*c", "abbc", true],
      ["a*c*", "abcbd", true],
      ["a?c", "abc", true],
      ["a?c", "ac", false],
      ["*a*b", "xaxaxb", true],
      ["a", "ab", false],
      ["a.c", "abc", false],
    ] as const) {
      assert.equal(matchesGlob(glob, text), matches, `${glob} ${text}`);
    }
  });
});
