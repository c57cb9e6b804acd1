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

  it("belongs to one holder until it expires, then to the first that requests it", async () => {
    assert.equal(await takeLease(db, "a", "one", 1_000, 100), true);
    assert.equal(await takeLease(db, "a", "two", 1_099, 100), false);
    assert.equal(await takeLease(db, "a", "two", 1_100, 100), true);
    assert.equal(await takeLease(db, "a", "one", 1_150, 100), false);
  });

  it("is void if it expires later than any lease can, because the clock was set back (OPS-6)", async () => {
    assert.equal(await takeLease(db, "g", "one", 100_000, 100), true);
    assert.equal(await takeLease(db, "g", "two", 99_900, 100), false, "the clocks of two replicas may differ slightly");
    assert.equal(await takeLease(db, "g", "two", 50_000, 100), true);
  });

  it("is renewed by its holder", async () => {
    assert.equal(await takeLease(db, "b", "one", 1_000, 100), true);
    assert.equal(await takeLease(db, "b", "one", 1_090, 100), true);
    assert.equal(await takeLease(db, "b", "two", 1_150, 100), false);
  });

  it("is independent of leases with other names", async () => {
    assert.equal(await takeLease(db, "c", "one", 1_000, 100), true);
    assert.equal(await takeLease(db, "d", "two", 1_000, 100), true);
  });

  it("is granted to one of many concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, i) => takeLease(db, "e", `p${i}`, 1_000, 100)));
    assert.equal(answers.filter(Boolean).length, 1);
  });

  it("is released only by its holder", async () => {
    await takeLease(db, "f", "one", 1_000, 100);
    await releaseLease(db, "f", "two");
    assert.equal(await takeLease(db, "f", "two", 1_000, 100), false);
    await releaseLease(db, "f", "one");
    assert.equal(await takeLease(db, "f", "two", 1_000, 100), true);
  });
});
