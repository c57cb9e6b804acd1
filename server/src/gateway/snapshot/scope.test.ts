import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { exampleServer, exampleSnapshot, exampleTools, exampleUser } from "#test/example-entries";
import { seedFor } from "#test/seed";
import { SnapshotHolder } from "./holder.ts";
import { relist } from "./listing.ts";
import { resolve } from "./resolve.ts";
import { ALL_SERVERS, scopeOf } from "./scope.ts";
import type { ServerEntry, UserEntry } from "./shape.ts";

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
    ["/mcp?mcp=a&mcp=b", "Invalid Request: the URL names a server twice"],
    ["/mcp?mcp=a&mcp=a", "Invalid Request: the URL names a server twice"],
    ["/mcp/a?mcp=a", "Invalid Request: the URL names a server twice"],
    ["/mcp?tools=search", { ...ALL_SERVERS, tools: "search" }],
    ["/mcp?tools=search&tools=search", { ...ALL_SERVERS, tools: "search" }],
    ["/mcp?mcp=echo&tools=search", { slug: "echo", prefixed: true, tools: "search" }],
    ["/mcp/echo?tools=search", { slug: "echo", prefixed: false, tools: "search" }],
    ["/mcp?tools=", "Invalid Request: the only value of tools in the URL is search"],
    ["/mcp?tools=search&tools=all", "Invalid Request: the only value of tools in the URL is search"],
    ["/mcp?mcp=a&mcp=b&tools=search", "Invalid Request: the URL names a server twice"],
    ["/mcp?toolkit=kit", { ...ALL_SERVERS, toolkit: "kit" }],
    ["/mcp?%74oolkit=kit&mcp=echo", { slug: "echo", prefixed: true, toolkit: "kit" }],
    ["/mcp/echo?toolkit=&tools=search", { slug: "echo", prefixed: false, toolkit: "", tools: "search" }],
    ["/mcp?toolkit=kit&toolkit=kit", "Invalid Request: the request names a toolkit twice"],
    ["/mcp/mcp", "Invalid Request: the URL contains /mcp twice; use the gateway URL with /mcp once"],
  ] as const) {
    it(`reads ${target}`, () => assert.deepEqual(scopeOf(target), scope));
  }

  it("reads the toolkit from the header too, if the two agree (F44)", () => {
    const twice = "Invalid Request: the request names a toolkit twice";
    assert.deepEqual(scopeOf("/mcp", "kit"), { ...ALL_SERVERS, toolkit: "kit" });
    assert.deepEqual(scopeOf("/mcp?toolkit=kit", "kit"), { ...ALL_SERVERS, toolkit: "kit" });
    assert.equal(scopeOf("/mcp?toolkit=kit", "other"), twice);
    assert.equal(scopeOf("/mcp", "kit, kit"), twice);
  });
});

const toolsOf = (fragment: Buffer): { name: string }[] => JSON.parse(`[${fragment}]`);
const members = (slug: string, tool: string) => ({
  description: `{"name":"${slug}__${tool}"} or [}`,
  inputSchema: { type: "object", default: { name: `${slug}__${tool}` }, examples: [[{ name: `${slug}__x` }]] },
});

describe("relist", () => {
  it("renames and omits items, whatever the definitions contain", (t) => {
    const property = fc.property(fc.array(fc.string({ minLength: 1 })), fc.nat(3), (tools, omitted) => {
      const listing = exampleTools("s-1", tools, (tool) => members("s-1", tool));
      const published = tools.map((tool) => ({ name: `s-1__${tool}`, ...members("s-1", tool) }));
      assert.deepEqual(toolsOf(listing.fragment), published);
      const bare = relist("tools", listing, ({ slug }) => slug);
      assert.deepEqual(
        toolsOf(bare.fragment),
        published.map((tool, at) => ({ ...tool, name: tools[at] })),
      );
      const left = listing.items.filter((_, at) => at % 4 !== omitted);
      const some = relist("tools", bare, (item) => bare.items.indexOf(item) % 4 !== omitted);
      assert.deepEqual(
        toolsOf(some.fragment).map(({ name }) => name),
        left.map(({ slug }) => slug),
      );
      for (const { start, end, slug } of some.items) {
        assert.equal(JSON.parse(some.fragment.toString("utf8", start, end)).name, slug);
      }
      assert.ok([...some.byKey.values()].every((item) => some.items.includes(item)));
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

  it("lists exactly the tools that can be called through it, and nothing that the unscoped URL does not list", (t) => {
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
    return exampleServer(slug, groupIds, { active, tools: exampleTools(slug, names) });
  }

  /** Returns the listed tools, after asserting that exactly these can be called. */
  function listed(holder: SnapshotHolder, user: UserEntry, target: string): string[] {
    const scope = scopeOf(target);
    assert.ok(typeof scope === "object");
    const shown = toolsOf(holder.viewFor({ user }, scope).fragment("tools")).map((tool) => tool.name);
    const candidates = new Set([...names, ...slugs.flatMap((slug) => names.map((name) => `${slug}__${name}`))]);
    const resolution = resolve(holder.current(), { user }, scope);
    const callable = [...candidates].filter((name) => resolution.named("tools", name).kind === "forward");
    assert.deepEqual([...shown].sort(), callable.sort(), target);
    return shown;
  }
});
