import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import { BUILT_IN_GUARDS } from "#guards/builtins";
import { systemClock } from "#lib/clock";
import { createIds } from "#lib/ids";
import { systemRandom } from "#lib/random";
import { deleteGroup, updateGroup } from "#records/groups";
import type { MainDb, MainTransaction } from "#storage/database";
import type { GuardRow } from "#storage/guard-tables";
import { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import { serverRow, userRow } from "#test/example-replica";
import {
  countGuards,
  deleteGuard,
  ensureBuiltInGuards,
  findGuard,
  insertGuard,
  listGuards,
  lockGuard,
  nameScopes,
  publishedGuardsAfter,
  publishedGuardsByIds,
  resolveScope,
  updateGuard,
} from "./index.ts";

const ANY = { groups: [], servers: [], tools: [], users: [], exclude_servers: [] };

function row(id: string, rest: Partial<GuardRow> = {}): GuardRow {
  return {
    ...{ id, builtin_key: null, slug: id.replace("grd_", ""), name: `Name of ${id}`, description: "", search_text: "" },
    ...{ type: "runtime", enabled: true, action: "block", threshold: 7, direction: "both", entity_types: [] },
    ...{ scope: ANY, checks: [], sealed_headers: null, priority: 100, on_error: null, message: "" },
    ...{ created_at: 1, updated_at: 1 },
    ...rest,
  } as GuardRow;
}

forEachDatabase("guards", (open) => {
  let db: MainDb;
  const context = () => ({ db, clock: systemClock, newId: createIds(systemClock, systemRandom) });

  before(async () => {
    db = (await open()).databases.main;
    await db.insertInto("users").values(userRow("usr_1")).execute();
    await db.insertInto("mcp_servers").values(serverRow("srv_1", "github")).execute();
  });
  beforeEach(async () => {
    await db.deleteFrom("guards").execute();
    await db.deleteFrom("groups").execute();
    const flags = { auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false };
    const group = { id: "grp_1", name: "Sales", name_key: "sales", ...flags, created_at: 1, updated_at: 1 };
    await db.insertInto("groups").values(group).execute();
  });

  const write = async <Result>(work: (tx: MainTransaction, trail: WriteTrail) => Promise<Result>) => {
    const trail = new WriteTrail();
    const result = await db.transaction().execute((tx) => work(tx, trail));
    return { result, changes: trail.changes.map(({ kind, id }) => `${kind} ${id}`) };
  };
  const add = (given: GuardRow) => write((tx, trail) => insertGuard(tx, trail, given));

  it("stores every field, notes each change, and picks the next free slug", async () => {
    const check = { id: "c", type: "webhook", name: "C", certainty: 8, config: { url: "https://a.example" } };
    const full = row("grd_1", { scope: { ...ANY, tools: ["a__*"] }, checks: [check], on_error: "allow" });
    assert.deepEqual((await add(full)).changes, ["guard grd_1"]);
    assert.deepEqual(await findGuard(db, "1"), { ...full, search_text: "name of grd_1\n1\n" });
    assert.equal((await add(row("grd_2", { slug: "1" }))).result, "1-2");

    const changed = await write(async (tx, trail) => {
      const locked = await lockGuard(tx, "1");
      return locked && updateGuard(tx, trail, locked, { name: "Änderung", enabled: false, updated_at: 2 });
    });
    assert.deepEqual(changed.changes, ["guard grd_1"]);
    assert.deepEqual(await findGuard(db, "1"), changed.result);
    assert.equal(await countGuards(db, { search: "änd" }), 1);
    assert.deepEqual((await write((tx, trail) => deleteGuard(tx, trail, "grd_1"))).changes, ["guard grd_1"]);
    assert.equal(await findGuard(db, "1"), undefined);
  });

  it("filters by type and status, oldest first", async () => {
    await add(row("grd_b", { created_at: 2 }));
    await add(row("grd_a", { created_at: 3, type: "buildtime", enabled: false }));
    const slugs = async (filter: object) =>
      (await listGuards(db, filter, { offset: 0, limit: 10 })).map(({ slug }) => slug);
    assert.deepEqual(await slugs({}), ["b", "a"]);
    assert.deepEqual(await slugs({ type: "buildtime" }), ["a"]);
    assert.deepEqual(await slugs({ enabled: true }), ["b"]);
  });

  it("publishes enabled guards only", async () => {
    await add(row("grd_a"));
    await add(row("grd_b", { enabled: false }));
    assert.deepEqual(
      (await publishedGuardsAfter(db, "", 10)).map(({ id }) => id),
      ["grd_a"],
    );
    assert.deepEqual(await publishedGuardsByIds(db, ["grd_b"]), []);
    assert.equal((await publishedGuardsByIds(db, ["grd_a"]))[0]?.slug, "a");
  });

  it("stores scopes by id, so that renames keep them and a deleted group does not widen them", async () => {
    const server = "github";
    const email = userRow("usr_1").email;
    const named = { groups: ["SALES"], servers: [server], tools: ["x"], users: [email], exclude_servers: [server] };
    const scope = await resolveScope(db, named);
    const ids = { groups: ["grp_1"], servers: ["srv_1"], tools: ["x"], users: ["usr_1"], exclude_servers: ["srv_1"] };
    assert.deepEqual(scope, ids);
    await write((tx, trail) => updateGroup(tx, trail, "grp_1", { name: "Revenue", name_key: "revenue" }));
    assert.deepEqual(await nameScopes(db, [scope]), [{ ...named, groups: ["Revenue"] }]);
    await write((tx, trail) => deleteGroup(tx, trail, "grp_1"));
    const [shown] = await nameScopes(db, [scope]);
    assert.deepEqual(shown?.groups, ["grp_1"]);
    assert.deepEqual(await resolveScope(db, shown ?? ANY, scope), ids);
    await assert.rejects(resolveScope(db, { ...ANY, groups: ["grp_1"] }), /Groups not found: grp_1/);
    await assert.rejects(resolveScope(db, { ...ANY, servers: ["a", "b"] }), /MCP servers not found: a, b/);
    await assert.rejects(resolveScope(db, { ...ANY, users: ["a@b.c"] }), /Users not found: a@b.c/);
  });

  it("adds missing built-in guards and keeps what admins changed", async () => {
    await add(row("grd_own", { slug: "secrets", name: "Our secrets" }));
    await ensureBuiltInGuards(context(), BUILT_IN_GUARDS.slice(0, 9));
    assert.equal(await countGuards(db, { enabled: false }), 9);
    const builtIn = await findGuard(db, "secrets-2");
    assert.equal(builtIn?.builtin_key, "secrets");

    await write(async (tx, trail) => {
      const locked = await lockGuard(tx, "email-addresses");
      const changes = { enabled: true, action: "warn", threshold: 3, priority: 5, direction: "request" } as const;
      if (locked) await updateGuard(tx, trail, locked, { ...changes, scope: { ...ANY, tools: ["a"] } });
    });
    const changed = await findGuard(db, "email-addresses");
    const later = BUILT_IN_GUARDS.map((guard) => ({ ...guard, name: `${guard.name}, improved` }));
    await Promise.all([ensureBuiltInGuards(context(), later), ensureBuiltInGuards(context(), later)]);
    assert.equal(await countGuards(db, {}), BUILT_IN_GUARDS.length + 1);
    const after = await findGuard(db, "email-addresses");
    const text = { name: "Email addresses, improved", search_text: after?.search_text, updated_at: after?.updated_at };
    assert.deepEqual(after, { ...changed, ...text });
    assert.match(after?.search_text ?? "", /improved/);
  });

  it("writes nothing if the built-in guards are current", async () => {
    const revision = async () => (await db.selectFrom("change_counter").selectAll().executeTakeFirst())?.revision;
    await ensureBuiltInGuards(context(), BUILT_IN_GUARDS);
    const before = await revision();
    await ensureBuiltInGuards(context(), BUILT_IN_GUARDS);
    assert.equal(await revision(), before);
  });
});
