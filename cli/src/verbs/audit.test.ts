import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

  it("verifies the log over the API, and prints the newest checkpoint", async () => {
    const { code, stdout } = await shell.run(["audit", "verify", "--remote", "-o", "json"]);
    assert.deepEqual([code, JSON.parse(stdout).ok], [0, true]);
    assert.match((await shell.run(["audit", "checkpoint"])).stderr, /There is no checkpoint yet/);
    const { main } = world.database.databases;
    await main.updateTable("audit").set({ actor_name: "Mallory" }).where("seq", "=", 2).execute();
    const broken = await shell.run(["audit", "verify", "--remote"]);
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /Entry 2 \(aud_\w+\) was changed/);
  });

  it("compares the log with the newest checkpoint of a file of a log destination", async () => {
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-checkpoints-"));
    const verify = async (lines: readonly object[]) => {
      const file = join(folder, "checkpoints.jsonl");
      await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
      return shell.run(["audit", "verify", "--remote", "--checkpoint", file]);
    };
    const checkpoint = (seq: number) => ({
      ...{ type: "checkpoint", id: `checkpoint-${seq}`, kind: "periodic", seq, hash: "x", key_version: 1 },
      ...{ ts: "2026-11-01T00:00:00.000Z", public_key: "x", signature: "x" },
    });
    const entry = { type: "audit", seq: 9 };
    const { code, stderr } = await verify([checkpoint(10), entry, checkpoint(12), checkpoint(11), entry]);
    assert.equal(code, 1);
    assert.match(stderr, /The given checkpoint of entry 12 was not signed with the key of this installation/);
    const none = await verify([entry]);
    assert.equal(none.code, 64);
    assert.match(
      none.stderr,
      /checkpoints\.jsonl contains no checkpoint\. Use the output of gatehouse audit checkpoint/,
    );
    await rm(folder, { recursive: true });
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
