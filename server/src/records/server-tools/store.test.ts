import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import type { MainDb } from "#storage/database";
import { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import {
  enabledToolCounts,
  enabledToolsOf,
  forgetEnabledTools,
  listedToolsOf,
  readEnabledTools,
  replaceTools,
  type SyncedTool,
  switchTools,
} from "./index.ts";

const SERVER = "srv_1";

function tool(name: string, rest: Partial<SyncedTool> = {}): SyncedTool {
  return {
    upstream_name: name,
    slug: name,
    title: name,
    description: "",
    definition: "{}",
    digest: "d",
    unseen: [],
    required_capabilities: [],
    ...rest,
  };
}

forEachDatabase("a server's tools", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    const server = {
      id: SERVER,
      slug: "one",
      name: "One",
      description: "",
      search_text: "one",
      status: "active" as const,
      connector_id: null,
      upstream_url: null,
      upstream_transport: null,
      auth_type: "none" as const,
      auth_settings: {},
      sealed_client_secret: null,
      is_local: false,
      eras: [],
      sync_tried_at: null,
      tools_synced_at: null,
      sync_error: null,
      tool_policy: "warn" as const,
      created_at: 1,
      updated_at: 1,
    };
    await db
      .insertInto("mcp_servers")
      .values([server, { ...server, id: "srv_2", slug: "two" }])
      .execute();
  });
  beforeEach(() => db.deleteFrom("server_tools").execute());

  const replace = (tools: readonly SyncedTool[], now = 1, serverId = SERVER, keepsGated = false) =>
    db.transaction().execute(async (tx) => {
      const server = { id: serverId, tool_policy: "warn", tools_synced_at: null } as const;
      return (await replaceTools(tx, new WriteTrail(), server, { tools, keepsGated }, now)).changed;
    });
  const names = async () =>
    readEnabledTools((await enabledToolsOf(db, [SERVER])).get(SERVER) ?? "[]").map(({ slug }) => slug);
  const listed = async () => (await listedToolsOf(db, SERVER)).map((row) => [row.slug, row.enabled]);
  const switchOff = async (name: string) => {
    const tools = (await listedToolsOf(db, SERVER)).filter((row) => row.upstream_name === name);
    await db.transaction().execute((tx) => switchTools(tx, new WriteTrail(), SERVER, tools, false, 1));
  };

  it("are those that the upstream lists now, in its order", async () => {
    assert.equal(await replace(["c", "a", "b"].map((name) => tool(name))), true);
    assert.deepEqual(await names(), ["c", "a", "b"]);
    assert.equal(await replace(["b", "c"].map((name) => tool(name))), true);
    assert.deepEqual(await names(), ["b", "c"]);
    assert.equal(await replace([]), true);
    assert.deepEqual(await names(), []);
  });

  it("stay untouched if they have not changed", async () => {
    await replace([tool("a"), tool("b")], 1);
    assert.equal(await replace([tool("a"), tool("b")], 2), false);
    const rows = await db.selectFrom("server_tools").selectAll().execute();
    assert.deepEqual(new Set(rows.map((row) => row.updated_at)), new Set([1]));
  });

  for (const change of [{ title: "T" }, { definition: '{"x":1}' }, { slug: "other" }]) {
    it(`that differ in ${Object.keys(change)} are updated and keep their creation date`, async () => {
      await replace([tool("a")], 1);
      assert.equal(await replace([tool("a", change)], 2), true);
      const [row] = await db.selectFrom("server_tools").selectAll().execute();
      assert.deepEqual({ ...row, ...change }, row);
      assert.deepEqual([row?.created_at, row?.updated_at], [1, 2]);
    });
  }

  it("that are disabled stay disabled, even if they disappear and return", async () => {
    await replace([tool("a"), tool("b")]);
    await switchOff("a");
    assert.equal(await replace([tool("a"), tool("b")]), false);
    await replace([tool("b")]);
    assert.deepEqual(await names(), ["b"]);
    assert.deepEqual(await listed(), [["b", true]]);
    await replace([tool("a", { title: "Back" }), tool("b")]);
    assert.deepEqual(await names(), ["b"]);
    assert.deepEqual(await listed(), [
      ["a", false],
      ["b", true],
    ]);
    assert.equal((await enabledToolCounts(db, [SERVER])).get(SERVER), 1);
  });

  it("that are disabled and not listed make room for a listed tool with the same slug", async () => {
    await replace([tool("a b", { slug: "a-b" })]);
    await switchOff("a b");
    await replace([tool("a/b", { slug: "a-b" })]);
    assert.deepEqual(await names(), ["a-b"]);
  });

  it("can swap names", async () => {
    await replace([tool("a", { slug: "x" }), tool("b", { slug: "y" })]);
    await replace([tool("a", { slug: "y" }), tool("b", { slug: "x" })]);
    assert.deepEqual(await names(), ["y", "x"]);
  });

  it("are deleted when the upstream changes, except disabled ones", async () => {
    await replace([tool("a"), tool("b")]);
    await switchOff("a");
    await db.transaction().execute((tx) => forgetEnabledTools(tx, new WriteTrail(), SERVER));
    assert.deepEqual(await listed(), []);
    await replace([tool("a"), tool("c")]);
    assert.deepEqual(await names(), ["c"]);
  });

  it("are stored and counted by server, even a thousand", async () => {
    await replace(Array.from({ length: 1_000 }, (_, i) => tool(`t${i}`)));
    await replace([tool("t0")], 1, "srv_2");
    const counts = await enabledToolCounts(db, [SERVER, "srv_2", "srv_3"]);
    assert.deepEqual([...counts].sort(), [
      [SERVER, 1_000],
      ["srv_2", 1],
    ]);
    assert.deepEqual((await names()).slice(0, 3), ["t0", "t1", "t2"]);
    assert.equal((await enabledToolsOf(db, [])).size, 0);
  });
});
