import assert from "node:assert/strict";
import { before, it } from "node:test";
import type { MainDb } from "#storage/database";
import { forEachDatabase } from "#test/databases";
import { releaseLease, takeLease } from "./index.ts";

forEachDatabase("a lease", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
  });

  it("belongs to one holder until its end, then to whoever comes first", async () => {
    assert.equal(await takeLease(db, "a", "one", 1_000, 100), true);
    assert.equal(await takeLease(db, "a", "two", 1_099, 100), false);
    assert.equal(await takeLease(db, "a", "two", 1_100, 100), true);
    assert.equal(await takeLease(db, "a", "one", 1_150, 100), false);
  });

  it("that ends further ahead than any lease can, because the clock was set back, binds nobody (OPS-6)", async () => {
    assert.equal(await takeLease(db, "g", "one", 100_000, 100), true);
    assert.equal(await takeLease(db, "g", "two", 99_900, 100), false, "two replicas' clocks may differ a little");
    assert.equal(await takeLease(db, "g", "two", 50_000, 100), true);
  });

  it("is renewed by its holder", async () => {
    assert.equal(await takeLease(db, "b", "one", 1_000, 100), true);
    assert.equal(await takeLease(db, "b", "one", 1_090, 100), true);
    assert.equal(await takeLease(db, "b", "two", 1_150, 100), false);
  });

  it("of one name says nothing of another", async () => {
    assert.equal(await takeLease(db, "c", "one", 1_000, 100), true);
    assert.equal(await takeLease(db, "d", "two", 1_000, 100), true);
  });

  it("goes to one of many who ask at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => takeLease(db, "e", `p${i}`, 1_000, 100)));
    assert.equal(answers.filter(Boolean).length, 1);
  });

  it("is given back by its holder alone", async () => {
    await takeLease(db, "f", "one", 1_000, 100);
    await releaseLease(db, "f", "two");
    assert.equal(await takeLease(db, "f", "two", 1_000, 100), false);
    await releaseLease(db, "f", "one");
    assert.equal(await takeLease(db, "f", "two", 1_000, 100), true);
  });
});
