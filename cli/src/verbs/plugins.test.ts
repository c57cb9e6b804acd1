import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createGroup } from "#test/factories";
import { withService } from "../../test/with-service.ts";

withService("gatehouse plugins", (world) => {
  it("creates, publishes, compares, downloads and deletes a plugin", async () => {
    const { service, shell } = world;
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-plugins-"));
    try {
      await createGroup(service, "Writers");
      await service.api("POST", "/api/skills", { name: "notes", description: "Notes.", content: "# Notes" });
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await shell.run(["plugins", ...args]);
        assert.equal(code, 0, stderr);
        return { stdout, stderr };
      };
      assert.match((await run("list")).stderr, /No plugins/);
      const created = await run("create", "Team tools", "--skill", "notes", "--group", "Writers", "--keyword", "a");
      assert.match(created.stderr, /Created plugin `team-tools`. Publish it/);
      assert.match((await run("changes", "team-tools")).stdout, /added +skills\/notes\/SKILL\.md/);
      assert.match((await run("publish", "team-tools")).stderr, /Published plugin `team-tools` 1\.0\.0/);
      assert.match((await run("list")).stdout, /team-tools +Team tools +active +1\.0\.0 +no +Writers/);
      assert.match((await run("changes", "team-tools")).stderr, /No changes since 1\.0\.0/);
      const again = await shell.run(["plugins", "publish", "team-tools"]);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /nothing to publish/);
      const updated = await run("update", "team-tools", "--description", "For the team");
      assert.match(updated.stderr, /Users get the changes when you publish it/);
      await run("publish", "team-tools", "--bump", "minor", "--notes", "Described");
      assert.match((await run("releases", "team-tools")).stdout, /1\.1\.0 +yes .*Described/);
      assert.match((await run("changes", "team-tools", "--version", "1.1.0")).stdout, /changed +README\.md/);
      const file = join(folder, "tools.zip");
      await run("download", "team-tools", "--target", "claude", "--file", file);
      assert.equal((await readFile(file)).toString("latin1", 0, 2), "PK");
      assert.match((await run("marketplace", "-o", "json")).stdout, /plugins\/marketplace\.git/);
      assert.match((await run("unpublish", "team-tools")).stderr, /Unpublished/);
      assert.equal((await shell.run(["plugins", "update", "team-tools"])).code, 64);
      assert.equal(
        (await shell.run(["plugins", "publish", "team-tools", "--version", "2.0.0", "--bump", "major"])).code,
        64,
      );
      assert.equal((await shell.run(["groups", "add-plugins", "Writers", "team-tools"])).code, 0);
      assert.equal((await shell.run(["groups", "remove-plugin", "Writers", "team-tools"])).code, 0);
      assert.match((await run("get", "team-tools", "-o", "json")).stdout, /"groups": \[\]/);
      await run("delete", "team-tools", "--yes");
      assert.match((await run("list")).stderr, /No plugins/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
