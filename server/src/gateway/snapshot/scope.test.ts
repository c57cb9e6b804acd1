import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { exampleServer, exampleSnapshot, exampleUser } from "#test/example-entries";
import { seedFor } from "#test/seed";
import { decideScopedTool } from "./decide.ts";
import { SnapshotHolder } from "./holder.ts";
import { ALL_SERVERS, scopeOf } from "./scope.ts";
import type { ServerEntry, UserEntry } from "./shape.ts";
import { withoutPrefix } from "./unprefixed.ts";

describe("scopeOf (D27)", () => {
  for (const [target, scope] of [
    ["/mcp", ALL_SERVERS],
    ["/mcp?", ALL_SERVERS],
    ["/mcp?other=1", ALL_SERVERS],
    ["/mcp?mcp=echo", { slug: "echo", prefixed: true }],
    ["/mcp?a=1&mcp=ech%6F", { slug: "echo", prefixed: true }],
    ["/mcp?mcp=", { slug: "", prefixed: true }],
    ["/mcp/echo", { slug: "echo", prefixed: false }],
    ["/mcp/echo?a=1", { slug: "echo", prefixed: false }],
    ["/mcp?mcp=a&mcp=b", undefined],
    ["/mcp?mcp=a&mcp=a", undefined],
    ["/mcp/a?mcp=a", undefined],
  ] as const) {
    it(`reads ${target}`, () => assert.deepEqual(scopeOf(target), scope));
  }
});

const toolsOf = (fragment: Buffer): { name: string }[] => JSON.parse(`[${fragment}]`);
const definition = (slug: string, tool: string) => ({
  name: `${slug}__${tool}`,
  description: `{"name":"${slug}__${tool}"} or [}`,
  inputSchema: { type: "object", default: { name: `${slug}__${tool}` }, examples: [[{ name: `${slug}__x` }]] },
});

describe("withoutPrefix", () => {
  it("cuts the prefix off names only, whatever the definitions hold", (t) => {
    const property = fc.property(fc.array(fc.string({ minLength: 1 })), (tools) => {
      const definitions = tools.map((tool) => definition("s-1", tool));
      const fragment = Buffer.from(definitions.map((tool) => JSON.stringify(tool)).join(","));
      const expected = definitions.map((tool, at) => ({ ...tool, name: tools[at] }));
      assert.deepEqual(toolsOf(withoutPrefix(fragment, "s-1")), expected);
    });
    fc.assert(property, { seed: seedFor(t) });
  });
});

describe("a scope (AZ-2)", () => {
  const names = ["a", "b__a", "echo"];
  const slugs = ["a", "b", "a-b"];
  const groups = ["g1", "g2"];
  const worlds = fc.record({
    servers: fc.tuple(
      ...slugs.map((slug) => fc.record({ slug: fc.constant(slug), in: fc.subarray(groups), active: fc.boolean() })),
    ),
    user: fc.subarray(groups),
    showDrafts: fc.boolean(),
  });

  it("lists exactly what can be called through it, and nothing that the whole address does not give", (t) => {
    const property = fc.property(worlds, (drawn) => {
      const servers = drawn.servers.map(({ slug, in: groupIds, active }) => server(slug, groupIds, active));
      const user = exampleUser("u", drawn.user);
      const holder = new SnapshotHolder();
      holder.swap(exampleSnapshot({ servers, groups: { g1: drawn.showDrafts, g2: false }, users: [user] }));
      const whole = listed(holder, user, "/mcp");
      for (const slug of [...slugs, "nowhere", ""]) {
        const prefixed = listed(holder, user, `/mcp?mcp=${slug}`);
        assert.deepEqual(
          prefixed,
          whole.filter((name) => name.startsWith(`${slug}__`)),
        );
        const bare = slug === "" ? [] : listed(holder, user, `/mcp/${slug}`);
        assert.deepEqual(
          bare.map((name) => `${slug}__${name}`),
          prefixed,
        );
      }
    });
    fc.assert(property, { seed: seedFor(t) });
  });

  function server(slug: string, groupIds: readonly string[], active: boolean): ServerEntry {
    const tools = new Map(names.map((name) => [name, { slug: name, upstreamName: name }]));
    return exampleServer(slug, groupIds, { active, tools });
  }

  /** What is listed, after a look at whether the same can be called. */
  function listed(holder: SnapshotHolder, user: UserEntry, target: string): string[] {
    const scope = scopeOf(target);
    assert.ok(scope);
    const shown = toolsOf(holder.viewFor(user, scope).toolsFragment()).map((tool) => tool.name);
    const candidates = new Set([...names, ...slugs.flatMap((slug) => names.map((name) => `${slug}__${name}`))]);
    const callable = [...candidates].filter((name) => decideScopedTool(holder.current(), user, scope, name).allowed);
    assert.deepEqual([...shown].sort(), callable.sort(), target);
    return shown;
  }
});
