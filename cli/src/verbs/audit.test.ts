import assert from "node:assert/strict";
import { before, it } from "node:test";
import { createGroup } from "#test/factories";
import { withService } from "../../test/with-service.ts";

withService("gatehouse audit", (world) => {
  const { shell } = world;
  before(async () => {
    for (const name of ["One", "Two"]) await createGroup(world.service, name);
  });

  it("shows the newest entry last and applies the filters", async () => {
    const { stdout } = await shell.run(["audit", "-o", "json", "--kind", "group", "--from", "1h"]);
    const names = JSON.parse(stdout).map((entry: { target: { name: string } }) => entry.target.name);
    assert.deepEqual(names, ["One", "Two"]);
  });

  it("exports the response of the API unchanged", async () => {
    for (const format of ["ndjson", "csv"]) {
      const { code, stdout } = await shell.run(["audit", "export", "--kind", "group", "--format", format]);
      const { text } = await world.service.api("GET", `/api/audit/export?target_type=group&format=${format}`);
      assert.deepEqual([code, stdout], [0, text]);
    }
    assert.equal((await shell.run(["audit", "exports"])).code, 64);
  });
});
