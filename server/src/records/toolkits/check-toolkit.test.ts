import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Refusal } from "#lib/errors";
import type { ToolkitTool } from "#storage/toolkit-tables";
import { toolkitTool } from "./check-entries.ts";
import { brokenTools, checkToolkit, countTools, toolkitWarnings } from "./check-toolkit.ts";
import type { KnownServer, KnownServers } from "./known-servers.ts";

const inputSchema = {
  type: "object",
  required: ["repo", "query"],
  properties: {
    repo: { type: "string", pattern: "^(a+)+$" },
    query: { type: "string" },
    page: { type: ["integer", "null"], minimum: 1 },
    label: { anyOf: [{ type: "string" }, { type: "null" }] },
    state: { enum: ["open", "closed"] },
    owner: { $ref: "#/$defs/owner" },
    loop: { $ref: "#/properties/loop" },
    nowhere: { $ref: "#/$defs/none" },
    pattern: { type: "object", properties: { pattern: { type: "number" } } },
  },
  $defs: { owner: { type: "string", minLength: 2 } },
};

function server(slug: string, tools: Record<string, Partial<{ slug: string; usable: boolean }>>): KnownServer {
  const known = Object.entries(tools).map(([name, rest]) => {
    const tool = {
      upstream_name: name,
      slug: name,
      usable: true,
      definition: JSON.stringify({ inputSchema }),
      ...rest,
    };
    return [name, tool] as const;
  });
  const lists = { prompts: new Set(["review"]), resources: new Set(["file:///readme"]) };
  return { slug, status: "active", synced: true, tools: new Map(known), ...lists };
}

const github = server("github", {
  search: {},
  get_issue: {},
  "repo.list": { slug: "repo_list" },
  old: { usable: false },
});
const KNOWN: KnownServers = new Map([
  ["github", github],
  ["linear", { ...server("linear", { search: {} }), status: "draft" }],
]);

const entry = (tool: string, rest: Partial<ToolkitTool> = {}): ToolkitTool => ({ server: "github", tool, ...rest });
const content = (tools: ToolkitTool[], status: "draft" | "active" = "active") => {
  return { status, tools, prompts: [], resources: [] };
};

function refusalOf(tools: ToolkitTool[], status: "draft" | "active" = "active"): string | undefined {
  try {
    checkToolkit(content(tools, status), KNOWN);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
}

describe("the entries of a toolkit", () => {
  for (const [tools, message] of [
    [[entry("*", { alias: "all" })], 'tools.0.alias: not allowed with tool "*"'],
    [[entry("*", { title: "All" })], 'tools.0.title: not allowed with tool "*"'],
    [[entry("*", { arguments: { hidden: ["x"] } })], 'tools.0.arguments: not allowed with tool "*"'],
    [[entry("search", { alias: "a.b" })], "tools.0.alias: must be 1 to 64 letters, numbers, hyphens and underscores"],
    [[entry("search", { alias: "" })], "tools.0.alias: must be 1 to 64 letters, numbers, hyphens and underscores"],
    [[entry("search", { alias: "a__b" })], 'tools.0.alias: must not contain "__"'],
    [[entry("search"), entry("search")], 'tools.1.alias: duplicate exposed name "github__search"'],
    [
      [entry("get_issue", { alias: "search" }), entry("search")],
      'tools.1.alias: duplicate exposed name "github__search"',
    ],
    [[entry("*"), entry("get_issue", { alias: "search" })], 'tools.1.alias: duplicate exposed name "github__search"'],
    [
      [entry("search", { alias: "repo_list" }), entry("repo.list")],
      'tools.1.alias: duplicate exposed name "github__repo_list"',
    ],
    [[entry("*"), entry("*")], 'tools.1.tool: "*" of github is given twice'],
    [
      [
        { server: "gone", tool: "x" },
        { server: "away", tool: "*" },
      ],
      "MCP servers not found: gone, away",
    ],
    [[], "tools: at least one tool is required to activate"],
  ] as [ToolkitTool[], string][]) {
    it(`are refused: ${message}`, () => assert.equal(refusalOf(tools), message));
  }

  for (const tools of [
    [entry("*"), entry("search", { alias: "find" })],
    [entry("*"), entry("search", { title: "Find" })],
    [entry("search"), entry("search", { alias: "search_acme", arguments: { fixed: { repo: "acme" } } })],
    [entry("get_issue", { alias: "search" })],
    [entry("missing")],
    [entry("old"), { server: "linear", tool: "search" }],
  ]) {
    it(`are accepted: ${JSON.stringify(tools)}`, () => assert.equal(refusalOf(tools), undefined));
  }

  it("may be missing in a draft", () => assert.equal(refusalOf([], "draft"), undefined));

  it("stay when their server is deleted, but cannot be added for it", () => {
    const before = { tools: [{ server: "gone", tool: "x" }], prompts: [], resources: [] };
    checkToolkit(content([{ server: "gone", tool: "y" }]), KNOWN, before);
    assert.throws(() => checkToolkit(content([{ server: "lost", tool: "y" }]), KNOWN, before), /not found: lost/);
  });

  it("are stored without members that change nothing", () => {
    const given = {
      server: "github",
      tool: "search",
      alias: null,
      title: null,
      arguments: { fixed: {}, hidden: ["a", "a"] },
    };
    assert.deepEqual(toolkitTool(given), { server: "github", tool: "search", arguments: { hidden: ["a"] } });
    assert.deepEqual(toolkitTool({ ...given, arguments: { fixed: {} } }), { server: "github", tool: "search" });
  });
});

describe("the arguments of a toolkit", () => {
  const refusal = (args: ToolkitTool["arguments"]) => refusalOf([entry("search", { arguments: args ?? {} })]);

  for (const [args, message] of [
    [{ fixed: { repo: 5 } }, "tools.0.arguments.fixed.repo: must be string"],
    [{ defaults: { page: "1" } }, "tools.0.arguments.defaults.page: must be integer or null"],
    [{ fixed: { label: 1 } }, "tools.0.arguments.fixed.label: must be string or null"],
    [{ fixed: { state: "new" } }, "tools.0.arguments.fixed.state: must be one of the allowed values"],
    [{ fixed: { page: 0 } }, "tools.0.arguments.fixed.page: does not match the schema of the tool: 0 is less than 1."],
    [{ fixed: { pattern: { pattern: "x" } } }, "tools.0.arguments.fixed.pattern: must be number (at pattern)"],
    [{ hidden: ["page", "repo"] }, 'tools.0.arguments.hidden: "repo" is required by the tool'],
    [
      { fixed: { repo: "a" }, defaults: { repo: "b" } },
      "tools.0.arguments.defaults.repo: is fixed, so it cannot have a default",
    ],
    [
      { fixed: { page: 9_007_199_254_740_992 } },
      "tools.0.arguments.fixed.page: integers must be between -9007199254740991 and 9007199254740991",
    ],
  ] as [ToolkitTool["arguments"], string][]) {
    it(`are refused: ${message}`, () => assert.equal(refusal(args), message));
  }

  it("are checked through references", () => {
    assert.match(refusal({ fixed: { owner: "x" } }) ?? "", /^tools.0.arguments.fixed.owner: does not match/);
    assert.equal(refusal({ fixed: { owner: "acme" } }), undefined);
  });

  it("are accepted if they can be hidden, or if nothing is known about them", () => {
    assert.equal(refusal({ hidden: ["repo", "query"], fixed: { repo: "acme" }, defaults: { query: "x" } }), undefined);
    assert.equal(refusal({ fixed: { loop: 1, nowhere: 1, other: { any: "thing" } } }), undefined);
  });

  it("are not matched with patterns of a server, which could take forever", () => {
    assert.equal(refusal({ fixed: { repo: `${"a".repeat(50)}!` } }), undefined);
  });

  it("are not evaluated with a schema that takes exponentially long", () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => {
        const next = { $ref: `#/$defs/d${at + 1}` };
        return [`d${at}`, { allOf: [next, next] }];
      }),
    );
    const definition = JSON.stringify({
      inputSchema: { properties: { x: { $ref: "#/$defs/d0" } }, $defs: { ...$defs, d40: { type: "string" } } },
    });
    const slow = { ...github, tools: new Map([["x", { upstream_name: "x", slug: "x", usable: true, definition }]]) };
    checkToolkit(content([entry("x", { arguments: { fixed: { x: "y" } } })]), new Map([["github", slow]]));
  });
});

describe("entries without effect", () => {
  const tools = [
    entry("search"),
    entry("old"),
    entry("missing"),
    entry("*"),
    { server: "linear", tool: "search" },
    { server: "gone", tool: "x" },
  ];

  it("are reported with the reason", () => {
    assert.deepEqual(brokenTools(tools, KNOWN), [
      { server: "github", tool: "old", reason: "tool_disabled" },
      { server: "github", tool: "missing", reason: "tool_missing" },
      { server: "linear", tool: "search", reason: "server_draft" },
      { server: "gone", tool: "x", reason: "server_missing" },
    ]);
    assert.equal(countTools(tools, KNOWN), 7, "five entries, and two other tools of github");
  });

  it("cause warnings", () => {
    const prompts = [
      { server: "github", name: "review" },
      { server: "github", name: "none" },
    ];
    const resources = [{ server: "github", uri: "file:///none" }];
    const changed = entry("search", { arguments: { fixed: { other: 1 }, hidden: ["page"] } });
    assert.deepEqual(toolkitWarnings({ tools: [...tools, changed], prompts, resources }, KNOWN), [
      'tools.2: MCP server github has no tool "missing"',
      "tools.5: MCP server gone does not exist",
      'tools.6.arguments.fixed: the tool has no argument "other"',
      'prompts.1: MCP server github has no prompt "none"',
      'resources.0: MCP server github has no resource "file:///none"',
    ]);
    const unsynced = new Map([["github", { ...github, synced: false, tools: new Map() }]]);
    assert.deepEqual(toolkitWarnings({ tools: [entry("a")], prompts: [], resources: [] }, unsynced), [
      'tools.0: MCP server github has no tool "a", because its tools were never synced',
    ]);
  });
});
