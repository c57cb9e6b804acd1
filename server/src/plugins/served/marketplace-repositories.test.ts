import assert from "node:assert/strict";
import { before, it } from "node:test";
import { systemClock } from "#lib/clock";
import { deleteUnusedBlobs } from "#records/file-blobs";
import type { MainDb } from "#storage/database";
import { forEachDatabase } from "#test/databases";
import { userRow } from "#test/example-replica";
import { marketplaceRepository } from "./marketplace-repositories.ts";
import { PluginRepositories } from "./plugin-repositories.ts";

forEachDatabase("the history of a marketplace", (open) => {
  let db: MainDb;
  before(async () => {
    db = (await open()).databases.main;
    await db.insertInto("users").values(["usr_a", "usr_b"].map(userRow)).execute();
  });

  /** Another name of the organization is another state. */
  const fetchAs = (userId: string, orgName: string) => {
    const clock = { ...systemClock, now: () => 1_800_000_000_000 };
    return marketplaceRepository({ db, clock, plugins: new PluginRepositories(db), orgName, maxCommits: 3 }, userId);
  };

  it("grows only when something changed, and starts again after a number of commits", async () => {
    const lengths: number[] = [];
    for (const name of ["A", "A", "B", "C", "C", "D", "E"]) {
      const { repository } = await fetchAs("usr_a", name);
      lengths.push(repository.commits.size);
    }
    assert.deepEqual(lengths, [1, 1, 2, 3, 3, 1, 2]);
    const rows = await db.selectFrom("marketplace_commits").select("number").orderBy("number").execute();
    assert.deepEqual(
      rows.map(({ number }) => number),
      [4, 5],
    );
  });

  it("keeps its files while it exists, and loses them with the user", async () => {
    await fetchAs("usr_b", "Only B");
    await db.deleteFrom("users").where("id", "=", "usr_a").execute();
    while ((await deleteUnusedBlobs(db, Number.MAX_SAFE_INTEGER, 100)) > 0);
    const { repository, digestOf } = await fetchAs("usr_b", "Only B");
    const [commit] = repository.commits.values();
    const digests = [...(commit?.trees[0].blobIds ?? [])].map(digestOf);
    const blobs = await db.selectFrom("file_blobs").select("digest").execute();
    assert.deepEqual(blobs.map(({ digest }) => digest).sort(), digests.sort());
    assert.equal(digests.length, 4);
  });

  it("starts again if its commits cannot be computed as clients have them", async () => {
    const before = (await fetchAs("usr_b", "Only B")).repository.tip;
    await db.updateTable("marketplace_commits").set({ created_at: 1 }).where("user_id", "=", "usr_b").execute();
    const { repository, number } = await fetchAs("usr_b", "Only B");
    assert.deepEqual([repository.commits.size, number], [1, 2]);
    assert.notEqual(repository.tip, before);
    assert.equal((await fetchAs("usr_b", "Only B")).repository.tip, repository.tip);
  });
});
