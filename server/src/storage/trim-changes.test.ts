import assert from "node:assert/strict";
import { it } from "node:test";
import { forEachDatabase } from "#test/databases";
import { trimChanges } from "./trim-changes.ts";

forEachDatabase("trimming the changes", (open) => {
  it("deletes the oldest changes in slices, and keeps those that replicas follow", async () => {
    const { main } = (await open()).databases;
    const revisions = async () => {
      const rows = await main.selectFrom("changes").select("revision").distinct().orderBy("revision").execute();
      return rows.map((row) => row.revision);
    };
    assert.equal(await trimChanges(main, 10, 5), false);
    const rows = Array.from({ length: 40 }, (_, n) => ({
      revision: 1 + Math.floor(n / 2),
      kind: "user" as const,
      target_id: `usr_${n}`,
    }));
    await main.insertInto("changes").values(rows).execute();
    await main.updateTable("change_counter").set({ revision: 20 }).where("id", "=", 1).execute();
    assert.equal(await trimChanges(main, 10, 20), false);
    assert.equal((await revisions()).length, 20);
    assert.equal(await trimChanges(main, 10, 5), true);
    assert.deepEqual(await revisions(), [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    assert.equal(await trimChanges(main, 10, 5), false);
    assert.deepEqual(await revisions(), [16, 17, 18, 19, 20]);
    assert.equal(await trimChanges(main, 10, 5), false);
  });
});
