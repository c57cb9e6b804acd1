import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ALL_CAPABILITIES } from "#lib/gating-capabilities";
import { exampleServer, exampleSnapshot, exampleTools, exampleUser } from "#test/example-entries";
import { compileToolkit, type ToolkitContent } from "./compile-toolkit.ts";
import { SnapshotHolder } from "./holder.ts";
import { nextSnapshot } from "./next-snapshot.ts";
import { previewToolkit } from "./preview-toolkit.ts";
import { resolve } from "./resolve.ts";
import { ALL_SERVERS, type Scope } from "./scope.ts";
import type { GroupEntry, Snapshot, UserEntry } from "./shape.ts";
import { NO_TOKENS, tokensOfToolkit } from "./tool-tokens.ts";

const SCHEMA = { type: "object", properties: { repo: {}, query: {} }, required: ["repo"] };
const definition = (name: string) => ({ description: `Of ${name}`, inputSchema: SCHEMA });
const github = exampleServer("github", ["dev", "ops"], {
  tools: exampleTools("github", ["search", "get", "delete"], definition),
});
const linear = exampleServer("linear", ["dev"], { tools: exampleTools("linear", ["search", "create"], definition) });
const draft = exampleServer("draft", ["dev"], { active: false });

type Given = Partial<Omit<ToolkitContent, "groupIds">> & Pick<ToolkitContent, "slug" | "tools">;

function toolkit(given: Given, ...groupIds: string[]) {
  const row = { id: `tkt_${given.slug}`, name: given.slug, instructions: "", least_privilege: false, owner_id: null };
  return compileToolkit({ ...row, prompts: [], resources: [], ...given, groupIds });
}

const ada = exampleUser("ada", ["dev"]);
const ops = exampleUser("ops-user", ["dev", "ops"]);

function snapshotWith(...toolkits: ReturnType<typeof toolkit>[]): Snapshot {
  const setup = { servers: [github, linear, draft], groups: { dev: false, ops: false }, users: [ada, ops] };
  return withToolkits(exampleSnapshot(setup), toolkits);
}

function withToolkits(snapshot: Snapshot, toolkits: readonly ReturnType<typeof toolkit>[]): Snapshot {
  return nextSnapshot(snapshot, { revision: 2, toolkits: new Map(toolkits.map((each) => [each.id, each])) });
}

/** What the user lists. Also checks that exactly that can be called. */
function listed(snapshot: Snapshot, user: UserEntry, scope: Scope = ALL_SERVERS): string[] {
  const holder = new SnapshotHolder();
  holder.swap(nextSnapshot(snapshot, { revision: 9, users: new Map([[user.id, user]]) }));
  const view = holder.viewFor({ user }, scope, () => ALL_CAPABILITIES);
  const tools = JSON.parse(`[${view.fragment("tools")}]`) as { name: string }[];
  const names = tools.map(({ name }) => name);
  const everyName = [...snapshot.serversById].flatMap(([, { slug }]) =>
    ["search", "get", "delete", "create", "echo", "find", "acme"].map((tool) =>
      scope.prefixed ? `${slug}__${tool}` : tool,
    ),
  );
  const resolution = resolve(snapshot, { user }, scope);
  const callable = [...new Set(everyName)].filter((name) => resolution.named("tools", name).kind === "forward");
  assert.deepEqual(names.toSorted(), callable.toSorted());
  return names;
}

const inToolkit = (slug: string, rest: Partial<Scope> = {}): Scope => ({ ...ALL_SERVERS, ...rest, toolkit: slug });
const READ = [
  { server: "github", tool: "get" },
  { server: "github", tool: "search", alias: "find" },
];

describe("a toolkit", () => {
  const kit = toolkit(
    { slug: "read", tools: [...READ, { server: "draft", tool: "*" }, { server: "gone", tool: "x" }] },
    "dev",
  );
  const snapshot = snapshotWith(kit);

  it("has only its entries, under their aliases and in their order", () => {
    assert.deepEqual(listed(snapshot, ada, inToolkit("read")), ["github__get", "github__find"]);
    assert.deepEqual(listed(snapshot, ada).length, 5);
  });

  it("is intersected with the server of the URL", () => {
    assert.deepEqual(listed(snapshot, ada, inToolkit("read", { slug: "github", prefixed: false })), ["get", "find"]);
    assert.deepEqual(listed(snapshot, ada, inToolkit("read", { slug: "linear" })), []);
  });

  it("includes all other tools of a server with *", () => {
    const tools = [
      { server: "github", tool: "search", alias: "find" },
      { server: "github", tool: "*" },
    ];
    const all = snapshotWith(toolkit({ slug: "all", tools }, "dev"));
    assert.deepEqual(listed(all, ada, inToolkit("all")), ["github__find", "github__get", "github__delete"]);
  });

  it("lets the same tool appear under several names", () => {
    const tools = [
      { server: "github", tool: "search" },
      { server: "github", tool: "search", alias: "acme", arguments: { fixed: { repo: "acme" } } },
    ];
    const both = snapshotWith(toolkit({ slug: "both", tools }, "dev"));
    assert.deepEqual(listed(both, ada, inToolkit("both")), ["github__search", "github__acme"]);
    const decision = resolve(both, { user: ada }, inToolkit("both")).named("tools", "github__acme");
    assert.ok(decision.kind === "forward");
    assert.deepEqual([decision.item.upstreamName, decision.item.slug, decision.toolkit], ["search", "acme", "both"]);
    assert.deepEqual(
      [...(decision.item.argumentChanges?.fixed ?? [])],
      [["repo", { json: '"acme"', toolkit: "both" }]],
    );
  });

  it("never widens what groups grant", () => {
    const eve = exampleUser("eve", ["other"]);
    const setup = { servers: [github], groups: { dev: false, other: false }, users: [eve] };
    const selecting: GroupEntry = {
      id: "other",
      showDrafts: false,
      serverIds: [github.id],
      selections: new Map([[github.id, { rule: "only", names: new Set(["get"]) }]]),
    };
    const wide = toolkit({ slug: "wide", tools: [{ server: "github", tool: "*" }] }, "other");
    const none = withToolkits(exampleSnapshot(setup), [wide]);
    assert.deepEqual(listed(none, eve, inToolkit("wide")), []);
    const server = { ...github, groupIds: new Set(["other"]) };
    const groups = new Map([["other", selecting]]);
    const some = nextSnapshot(none, { revision: 3, servers: new Map([[server.id, server]]), groups });
    assert.deepEqual(listed(some, eve, inToolkit("wide")), ["github__get"]);
  });

  it("is usable by members of its groups, by its owner, and by users who are bound to it", () => {
    const own = toolkit({ slug: "own", tools: READ, owner_id: "ada" });
    const ofOps = toolkit({ slug: "ops", tools: READ }, "ops", "gone");
    const all = snapshotWith(kit, own, ofOps);
    const usable = (user: UserEntry, slug: string, credential?: string) =>
      resolve(all, { user, toolkit: credential }, inToolkit(slug)).toolkit()?.slug;
    assert.deepEqual(
      ["read", "own", "ops", "none"].map((slug) => usable(ada, slug)),
      ["read", "own", undefined, undefined],
    );
    assert.deepEqual(
      ["read", "own", "ops"].map((slug) => usable(ops, slug)),
      ["read", undefined, "ops"],
    );
    const bound = { ...ada, toolkit: "ops" };
    assert.deepEqual(
      ["read", "own", "ops"].map((slug) => usable(bound, slug)),
      [undefined, undefined, "ops"],
    );
    assert.deepEqual(listed(all, bound), ["github__get", "github__find"]);
    assert.equal(usable({ ...ada, toolkit: "ops" }, "ops", "read"), undefined, "bound to two");
    assert.equal(usable(ada, "ops", "ops"), "ops", "the credential is bound");
    assert.equal(usable({ ...ops, toolkit: "own" }, "own"), undefined, "a toolkit of another user");
    assert.equal(usable({ ...ada, disabled: true }, "read"), undefined);
    assert.equal(usable(exampleUser("eve", ["gone"]), "ops"), undefined, "a deleted group");
  });

  it("leaves nothing to a user who is bound to one that does not exist", () => {
    assert.deepEqual(listed(snapshot, { ...ada, toolkit: "none" }), []);
    const decision = resolve(snapshot, { user: { ...ada, toolkit: "none" } }).named("tools", "github__get");
    assert.deepEqual([decision.kind, "reason" in decision && decision.reason], ["refused", "not-in-toolkit"]);
  });
});

describe("a toolkit with least privilege", () => {
  const limit = { least_privilege: true };

  it("limits its servers in the default view, and leaves the others alone", () => {
    const snapshot = snapshotWith(toolkit({ slug: "read", tools: READ, ...limit }, "ops"));
    assert.deepEqual(listed(snapshot, ops), ["github__get", "github__find", "linear__search", "linear__create"]);
    assert.equal(listed(snapshot, ada).length, 5, "not in its group");
    const decision = resolve(snapshot, { user: ops }).named("tools", "github__delete");
    assert.deepEqual("reason" in decision && decision.reason, "not-in-toolkit");
  });

  it("is united with others, and the first slug decides about a name", () => {
    const find = [{ server: "github", tool: "get", alias: "find", arguments: { fixed: { repo: "b" } } }];
    const snapshot = snapshotWith(
      toolkit({ slug: "b", tools: [...find, { server: "github", tool: "delete" }], ...limit }, "dev"),
      toolkit({ slug: "a", tools: READ, ...limit }, "dev"),
    );
    assert.deepEqual(listed(snapshot, ada).slice(0, 3), ["github__get", "github__find", "github__delete"]);
    const decision = resolve(snapshot, { user: ada }).named("tools", "github__find");
    assert.ok(decision.kind === "forward");
    assert.deepEqual([decision.item.upstreamName, decision.toolkit], ["search", "a"]);
  });

  it("limits its owner only", () => {
    const snapshot = snapshotWith(toolkit({ slug: "mine", tools: READ, owner_id: "ada", ...limit }));
    const holder = new SnapshotHolder();
    holder.swap(snapshot);
    const peer = exampleUser("peer", ["dev"]);
    assert.equal(holder.viewFor({ user: ada }).count("tools"), 4);
    const shared = nextSnapshot(snapshot, { revision: 3, users: new Map([["peer", peer]]) });
    holder.swap(shared);
    assert.equal(holder.viewFor({ user: peer }).count("tools"), 5, "views with the same groups are not shared");
  });

  it("cannot be circumvented by a toolkit of the user", () => {
    const fixed = { arguments: { fixed: { repo: "acme" }, hidden: ["secret"] } };
    const own = { arguments: { fixed: { secret: 1, query: "q" }, defaults: { repo: "evil" } } };
    const snapshot = snapshotWith(
      toolkit(
        { slug: "limit", tools: [{ server: "github", tool: "search", alias: "find", ...fixed }], ...limit },
        "dev",
      ),
      toolkit({
        slug: "mine",
        owner_id: "ada",
        tools: [
          { server: "github", tool: "*" },
          { server: "linear", tool: "*" },
        ],
      }),
      toolkit({
        slug: "more",
        owner_id: "ada",
        tools: [
          { server: "github", tool: "search", ...own },
          { server: "github", tool: "get" },
        ],
      }),
    );
    assert.deepEqual(listed(snapshot, ada, inToolkit("mine")), ["github__search", "linear__search", "linear__create"]);
    assert.deepEqual(listed(snapshot, ada, inToolkit("more")), ["github__search"]);
    const decision = resolve(snapshot, { user: ada }, inToolkit("more")).named("tools", "github__search");
    assert.ok(decision.kind === "forward");
    const { argumentChanges } = decision.item;
    assert.deepEqual(
      [...(argumentChanges?.fixed ?? [])],
      [
        ["repo", { json: '"acme"', toolkit: "limit" }],
        ["query", { json: '"q"', toolkit: "more" }],
      ],
    );
    assert.deepEqual([[...(argumentChanges?.defaults ?? [])], [...(argumentChanges?.hidden ?? [])]], [[], ["secret"]]);
  });
});

describe("the index of toolkits", () => {
  it("forgets deleted toolkits, and follows a slug to another toolkit", () => {
    const first = toolkit({ slug: "kit", tools: READ, least_privilege: true }, "dev");
    const before = snapshotWith(first);
    const renewed = { ...first, id: "tkt_new", leastPrivilege: false };
    const after = nextSnapshot(before, {
      revision: 3,
      toolkits: new Map([
        [first.id, undefined],
        [renewed.id, renewed],
      ]),
    });
    assert.equal(after.toolkits.bySlug.get("kit"), renewed);
    assert.deepEqual([after.toolkits.restricting.size, after.toolkits.byId.size], [0, 1]);
  });
});

describe("the preview of a toolkit", () => {
  const entries = [
    ...READ,
    { server: "github", tool: "none" },
    { server: "draft", tool: "*" },
    { server: "linear", tool: "*" },
    { server: "gone", tool: "x" },
  ];

  it("has what the user lists, and why the other entries are hidden", () => {
    const kit = toolkit({ slug: "kit", tools: entries }, "dev");
    const snapshot = snapshotWith(kit);
    const { tools, hidden } = previewToolkit(snapshot, ada, kit);
    assert.deepEqual(
      tools.map(({ name }) => name),
      listed(snapshot, ada, inToolkit("kit")),
    );
    assert.deepEqual(tools[1], {
      name: "github__find",
      description: "Of search",
      inputSchema: SCHEMA,
      source: { server: "github", tool: "search" },
    });
    assert.deepEqual(hidden, [
      { server: "github", tool: "none", reason: "tool_missing" },
      { server: "draft", tool: "echo", reason: "server_draft" },
      { server: "gone", tool: "x", reason: "server_missing" },
    ]);
  });

  it("treats a draft as active, and shows nothing to users who cannot use the toolkit", () => {
    const kit = toolkit({ slug: "kit", tools: READ }, "ops");
    const snapshot = snapshotWith();
    assert.equal(previewToolkit(snapshot, ops, kit).tools.length, 2);
    const { tools, hidden } = previewToolkit(snapshot, ada, kit);
    assert.deepEqual([tools, hidden.map(({ reason }) => reason)], [[], ["toolkit_not_granted", "toolkit_not_granted"]]);
  });

  it("reports the tokens of the definitions as they are shown", () => {
    const hide = { arguments: { fixed: { repo: "x" } } };
    const tokens = (rest: object) =>
      tokensOfToolkit(snapshotWith(), toolkit({ slug: "kit", tools: [{ server: "github", tool: "get", ...rest }] }));
    const whole = tokens({});
    assert.deepEqual(
      whole.largest.map(({ name }) => name),
      ["github__get"],
    );
    assert.ok(tokens(hide).tokens_estimate < whole.tokens_estimate);
    assert.deepEqual(
      tokensOfToolkit(snapshotWith(), toolkit({ slug: "kit", tools: [{ server: "gone", tool: "x" }] })),
      NO_TOKENS,
    );
  });
});
