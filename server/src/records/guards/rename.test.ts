import assert from "node:assert/strict";
import { before, beforeEach, it } from "node:test";
import fc from "fast-check";
import { matchesGlob } from "#guards/glob";
import type { MainDb } from "#storage/database";
import type { GuardRow } from "#storage/guard-tables";
import { WriteTrail } from "#storage/transaction";
import { forEachDatabase } from "#test/databases";
import { insertGuard, renameInGuards } from "./index.ts";

forEachDatabase("renames in the scopes of guards", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
  });
  beforeEach(async () => void (await db.deleteFrom("guards").execute()));

  /** The globs of one guard each, afterwards. */
  async function rename(globs: readonly string[], renamed: Parameters<typeof renameInGuards>[2]) {
    const trail = new WriteTrail();
    await db.transaction().execute(async (tx) => {
      for (const [n, glob] of globs.entries()) await insertGuard(tx, new WriteTrail(), guardWith(n, glob));
      await renameInGuards(tx, trail, renamed);
    });
    const rows = await db.selectFrom("guards").select("scope").orderBy("id").execute();
    return { tools: rows.map(({ scope }) => scope.tools), changed: trail.changes.map(({ id }) => id) };
  }

  it("covers the tools of the server under their new names, and no longer those of its old slug", async () => {
    const globs = ["alpha__t1", "alpha__*", "al*__get_?", "alpha*", "*__delete_*", "alphabet__t1", "beta__t1", "*"];
    const { tools, changed } = await rename(globs, { kind: "server", from: "alpha", to: "omega" });
    assert.deepEqual(tools, [
      ["omega__t1"],
      ["omega__*"],
      ["al*__get_?", "omega__*__get_?", "omega__get_?", "omega___get_?"],
      ["alpha*", "omega__*"],
      ["*__delete_*"],
      ["alphabet__t1"],
      ["beta__t1"],
      ["*"],
    ]);
    assert.deepEqual(changed, ["grd_000", "grd_001", "grd_002", "grd_003"]);
  });

  it("follows a command, which has its slug alone", async () => {
    const globs = ["notes", "no*", "notes__*", "*"];
    const { tools } = await rename(globs, { kind: "command", from: "notes", to: "minutes" });
    assert.deepEqual(tools, [["minutes"], ["no*", "minutes"], ["notes__*"], ["*"]]);
  });

  it("matches each tool as before, for any glob", async () => {
    const piece = fc.constantFrom("a", "b", "_", "__", "*", "?");
    const glob = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(""));
    const tool = fc.array(fc.constantFrom("a", "b", "_"), { maxLength: 4 }).map((letters) => letters.join(""));
    const [globs] = fc.sample(fc.array(glob, { minLength: 400, maxLength: 400 }), 1);
    const suffixes = fc.sample(tool, 100);
    const { tools } = await rename(globs ?? [], { kind: "server", from: "ab", to: "b" });
    for (const [n, original] of (globs ?? []).entries()) {
      for (const suffix of suffixes) {
        const expected = matchesGlob(original, `ab__${suffix}`) || matchesGlob(original, `b__${suffix}`);
        const matches = tools[n]?.some((each) => matchesGlob(each, `b__${suffix}`));
        assert.equal(matches, expected, `${original} became ${tools[n]}, and b__${suffix} differs`);
      }
    }
  });
});

function guardWith(n: number, glob: string): GuardRow {
  const id = `grd_${String(n).padStart(3, "0")}`;
  const scope = { groups: [], servers: [], tools: [glob], users: [], exclude_servers: [] };
  return {
    ...{ id, builtin_key: null, slug: `g${n}`, name: id, description: "", search_text: "", type: "runtime" },
    ...{ enabled: true, action: "block", threshold: 7, direction: "both", entity_types: [], scope, checks: [] },
    ...{ sealed_headers: null, priority: 100, on_error: null, message: "", created_at: 1, updated_at: 1 },
  };
}
