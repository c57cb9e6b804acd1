import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { toolkitLinks } from "#records/groups";
import { lockServer, updateServer } from "#records/mcp-servers";
import { deleteUser } from "#records/users";
import type { MainDb, MainTransaction } from "#storage/database";
import type { ToolkitRow } from "#storage/toolkit-tables";
import { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import { serverRow, userRow } from "#test/example-replica";
import {
  countToolkits,
  createToolkit,
  deleteToolkit,
  findToolkit,
  insertToolkit,
  knownServersOf,
  listToolkits,
  publishedToolkitsAfter,
  publishedToolkitsByIds,
  setToolkitGroups,
  toolkitsOfUser,
  updateToolkit,
  usersBoundTo,
} from "./index.ts";

function row(id: string, rest: Partial<ToolkitRow> = {}): ToolkitRow {
  return {
    id,
    slug: id.replace("tkt_", ""),
    name: `Name of ${id}`,
    description: "",
    search_text: "",
    instructions: "",
    status: "active",
    least_privilege: false,
    owner_id: null,
    tools: [{ server: "github", tool: "search" }],
    prompts: [],
    resources: [],
    skills: [],
    commands: [],
    created_at: 1,
    updated_at: 1,
    ...rest,
  };
}

forEachDatabase("toolkits", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    const flags = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
    const group = (id: string) => ({ id, name: id, name_key: id, ...flags, created_at: 1, updated_at: 1 });
    await db
      .insertInto("groups")
      .values([group("grp_1"), group("grp_2")])
      .execute();
    await db
      .insertInto("users")
      .values([userRow("usr_1"), userRow("usr_2")])
      .execute();
    await db.insertInto("group_users").values({ group_id: "grp_1", user_id: "usr_1" }).execute();
    await db.insertInto("mcp_servers").values(serverRow("srv_1", "github")).execute();
  });
  beforeEach(async () => {
    await db.deleteFrom("toolkits").execute();
  });

  async function change<Result>(work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>) {
    const trail = new WriteTrail();
    const result = await db.transaction().execute((tx) => work(tx, trail));
    return { result, changes: [...new Set(trail.changes.map(({ kind, id }) => `${kind} ${id}`))] };
  }
  const insert = async (...rows: ToolkitRow[]) => {
    for (const each of rows) await change((tx, trail) => insertToolkit(tx, trail, each));
  };
  const slugs = (rows: readonly { readonly slug: string }[]) => rows.map(({ slug }) => slug);
  const page = { offset: 0, limit: 10 };

  it("get the first free slug and keep their entries as they are", async () => {
    const tools = [{ server: "github", tool: "search", arguments: { fixed: { b: 1, a: { z: [] } } } }];
    const { changes } = await change((tx, trail) => insertToolkit(tx, trail, row("tkt_a", { tools })));
    assert.deepEqual(changes, ["toolkit tkt_a"]);
    const second = await change((tx, trail) => insertToolkit(tx, trail, row("tkt_b", { slug: "a" })));
    assert.equal(second.result, "a-2");
    const stored = await findToolkit(db, "a");
    assert.equal(JSON.stringify(stored?.tools), JSON.stringify(tools));
    assert.equal((await findToolkit(db, "a-2"))?.id, "tkt_b");
    const long = "x".repeat(64);
    await insert(row("tkt_c", { slug: long }));
    const third = await change((tx, trail) => insertToolkit(tx, trail, row("tkt_d", { slug: long })));
    assert.equal(third.result, `${"x".repeat(62)}-2`);
  });

  it("are filtered by status, text, server, group and owner", async () => {
    await insert(
      row("tkt_a", { status: "draft", description: "Reads Größe" }),
      row("tkt_b", { prompts: [{ server: "linear", name: "p" }], created_at: 2 }),
      row("tkt_c", { owner_id: "usr_1", tools: [], resources: [{ server: "files", uri: "file:///" }], created_at: 3 }),
    );
    await change((tx, trail) => setToolkitGroups(tx, trail, "tkt_b", ["grp_1"]));
    for (const [filter, expected] of [
      [{}, ["a", "b", "c"]],
      [{ status: "draft" }, ["a"]],
      [{ search: "größe" }, ["a"]],
      [{ search: "tkt_c" }, ["c"]],
      [{ server: "github" }, ["a", "b"]],
      [{ server: "linear" }, ["b"]],
      [{ server: "files" }, ["c"]],
      [{ groupId: "grp_1" }, ["b"]],
      [{ ownerId: null }, ["a", "b"]],
      [{ ownerId: "usr_1" }, ["c"]],
    ] as const) {
      assert.deepEqual(slugs(await listToolkits(db, filter, page)), expected, JSON.stringify(filter));
      assert.equal(await countToolkits(db, filter), expected.length);
    }
  });

  it("of a user are the active ones of the user's groups, and the user's own", async () => {
    await insert(
      row("tkt_a"),
      row("tkt_b"),
      row("tkt_c", { status: "draft" }),
      row("tkt_d", { owner_id: "usr_1" }),
      row("tkt_e", { owner_id: "usr_2" }),
    );
    for (const id of ["tkt_a", "tkt_c"]) await change((tx, trail) => setToolkitGroups(tx, trail, id, ["grp_1"]));
    await change((tx, trail) => setToolkitGroups(tx, trail, "tkt_b", ["grp_2"]));
    assert.deepEqual(slugs(await toolkitsOfUser(db, "usr_1")), ["a", "d"]);
    assert.deepEqual(slugs(await toolkitsOfUser(db, "usr_2")), ["e"]);
  });

  it("are published while they are active, with their groups", async () => {
    await insert(row("tkt_a"), row("tkt_b", { status: "draft" }));
    const { changes } = await change((tx, trail) => setToolkitGroups(tx, trail, "tkt_a", ["grp_1", "grp_2"]));
    assert.deepEqual(changes, ["toolkit tkt_a"]);
    await change((tx, trail) => setToolkitGroups(tx, trail, "tkt_a", ["grp_2"]));
    const published = await publishedToolkitsAfter(db, "", 10);
    assert.deepEqual(
      published.map(({ id, groupIds }) => [id, groupIds]),
      [["tkt_a", ["grp_2"]]],
    );
    assert.deepEqual(await publishedToolkitsByIds(db, ["tkt_b"]), []);
    assert.deepEqual((await toolkitLinks.groupNamesOf(db, ["tkt_a"])).get("tkt_a"), ["grp_2"]);
  });

  it("change and are deleted, and note it", async () => {
    await insert(row("tkt_a"));
    const stored = await findToolkit(db, "a");
    assert.ok(stored);
    const tools = [{ server: "linear", tool: "*" }];
    const updated = await change((tx, trail) =>
      updateToolkit(tx, trail, stored, { name: "New", tools, updated_at: 2 }),
    );
    assert.deepEqual(updated.changes, ["toolkit tkt_a"]);
    assert.deepEqual(await findToolkit(db, "a"), updated.result);
    assert.deepEqual(slugs(await listToolkits(db, { search: "new", server: "linear" }, page)), ["a"]);
    assert.deepEqual(await listToolkits(db, { server: "github" }, page), []);
    assert.deepEqual((await change((tx, trail) => deleteToolkit(tx, trail, "tkt_a"))).changes, ["toolkit tkt_a"]);
    assert.equal(await findToolkit(db, "a"), undefined);
  });

  it("follow a server to its new slug, so that a rename lifts no restriction", async () => {
    const prompts = [{ server: "github", name: "p" }];
    await insert(
      row("tkt_a", {
        prompts,
        tools: [
          { server: "github", tool: "*" },
          { server: "other", tool: "x" },
        ],
      }),
      row("tkt_b"),
    );
    const { changes } = await change((tx, trail) => updateServer(tx, trail, "srv_1", { slug: "hub", updated_at: 2 }));
    assert.deepEqual(changes.toSorted(), ["server srv_1", "toolkit tkt_a", "toolkit tkt_b"]);
    const after = await findToolkit(db, "a");
    assert.deepEqual(after?.tools, [
      { server: "hub", tool: "*" },
      { server: "other", tool: "x" },
    ]);
    assert.deepEqual(after?.prompts, [{ server: "hub", name: "p" }]);
    assert.deepEqual(slugs(await listToolkits(db, { server: "hub" }, page)), ["a", "b"]);
    const again = await change((tx, trail) => updateServer(tx, trail, "srv_1", { slug: "hub", name: "Hub" }));
    assert.deepEqual(again.changes, ["server srv_1"]);
    await change((tx, trail) => updateServer(tx, trail, "srv_1", { slug: "github" }));
  });

  it("follow a server that is renamed while they are saved", async () => {
    const saved = Promise.withResolvers<void>();
    const saving = db.transaction().execute(async (tx) => {
      const tools = [{ server: "github", tool: "search" }];
      await createToolkit(tx, new WriteTrail(), { id: "tkt_a", name: "A", ownerId: null, now: 1 }, { tools });
      saved.resolve();
      await new Promise((resolve) => setTimeout(resolve, 100));
    });
    await saved.promise;
    await change(async (tx, trail) => {
      assert.ok(await lockServer(tx, "github"));
      await updateServer(tx, trail, "srv_1", { slug: "hub" });
    });
    await saving;
    assert.deepEqual((await findToolkit(db, "a"))?.tools, [{ server: "hub", tool: "search" }]);
    await change((tx, trail) => updateServer(tx, trail, "srv_1", { slug: "github" }));
  });

  it("end with their owner, which is noted", async () => {
    await db.insertInto("users").values(userRow("usr_3")).execute();
    await insert(row("tkt_a", { owner_id: "usr_3" }));
    const { changes } = await change((tx, trail) => deleteUser(tx, trail, "usr_3"));
    assert.deepEqual(changes, ["toolkit tkt_a", "user usr_3"]);
    assert.equal(await findToolkit(db, "a"), undefined);
  });

  it("report the machine users that are bound to them", async () => {
    await db.updateTable("users").set({ toolkit: "a" }).where("id", "=", "usr_2").execute();
    const bound = await usersBoundTo(db, "a", 5);
    assert.equal(bound.length, 1);
    await db.updateTable("users").set({ toolkit: null }).where("id", "=", "usr_2").execute();
    assert.deepEqual(await usersBoundTo(db, "a", 5), []);
  });

  it("are checked with the stored tools of their servers", async () => {
    const tool = (name: string, rest: object) => ({
      ...{ server_id: "srv_1", upstream_name: name, slug: name.replace(".", "_"), title: "", description: "" },
      ...{
        definition: `{"inputSchema":{"type":"${name}"}}`,
        position: 1,
        enabled: true,
        listed: true,
        held: false,
        created_at: 1,
        updated_at: 1,
      },
      ...rest,
    });
    await db
      .insertInto("server_tools")
      .values([tool("a.b", {}), tool("c", { enabled: false }), tool("d", { held: true }), tool("e", { listed: false })])
      .execute();
    const tools = [
      { server: "github", tool: "a.b", arguments: { hidden: ["x"] } },
      { server: "github", tool: "c" },
      { server: "gone", tool: "c" },
    ];
    const known = await knownServersOf(db, [{ tools, prompts: [], resources: [] }]);
    assert.deepEqual([...known.keys()], ["github"]);
    const found = [...(known.get("github")?.tools.values() ?? [])].map((each) => [
      ...[each.upstream_name, each.slug, each.usable, each.definition],
    ]);
    assert.deepEqual(found.toSorted(), [
      ["a.b", "a_b", true, '{"inputSchema":{"type":"a.b"}}'],
      ["c", "c", false, undefined],
      ["d", "d", false, undefined],
    ]);
    assert.deepEqual(await knownServersOf(db, []), new Map());
  });
});
