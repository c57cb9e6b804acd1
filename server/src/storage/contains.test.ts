import assert from "node:assert/strict";
import { before, it } from "node:test";
import { fold } from "#lib/fold";
import { forEachDatabase } from "#test/databases";
import { contains } from "./contains.ts";
import type { MainDb } from "./database.ts";

const TEXTS = ["100 % sure", "100 x sure", "a_b", "axb", "back\\slash", "backslash", "Müller", "ΟΔΟΣ", "it's", "[a-z]"];

forEachDatabase("contains (API-4)", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    const values = TEXTS.map((text) => ({ name: fold(text), value: { text }, updated_at: 0 }));
    await db.insertInto("settings").values(values).execute();
  });
  const found = async (text: string) => {
    const rows = await db.selectFrom("settings").select("name").where(contains("name", text)).execute();
    return rows.map((row) => row.name).sort();
  };

  for (const [search, hits] of [
    ["%", ["100 % sure"]],
    ["_", ["a_b"]],
    ["\\", ["back\\slash"]],
    ["\\%", []],
    ["a_b", ["a_b"]],
    ["MÜLLER", ["müller"]],
    ["u\u0308LL", ["müller"]],
    ["οδο", ["οδοσ"]],
    ["ΟΔΟΣ", ["οδοσ"]],
    ["'", ["it's"]],
    ["[a-z]", ["[a-z]"]],
    ["'; drop table settings; --", []],
  ] as const) {
    it(`finds ${JSON.stringify(search)} literally`, async () => assert.deepEqual(await found(search), [...hits]));
  }

  it("finds everything for an empty text", async () => assert.equal((await found("")).length, TEXTS.length));
});
