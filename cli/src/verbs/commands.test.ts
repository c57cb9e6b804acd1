import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createGroup } from "#test/factories";
import { withService } from "../../test/with-service.ts";

withService("gatehouse commands", (world) => {
  it("creates, renders, renames, exports, imports and deletes a command", async () => {
    const { service, shell } = world;
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-commands-"));
    try {
      await createGroup(service, "Writers");
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await shell.run(["commands", ...args]);
        assert.equal(code, 0, stderr);
        return { stdout, stderr };
      };
      const content = join(folder, "notes.md");
      await writeFile(content, "Notes for {{version}}\n");
      const created = await run("create", "Release notes", "--content", content, "--group", "Writers");
      assert.match(created.stderr, /Created command `release-notes`/);
      await run("activate", "release-notes");
      assert.match((await run("list")).stdout, /release-notes +Release notes +active +\[version\] +Writers/);
      const rendered = await run("render", "release-notes", "--arg", "version=1=2", "-o", "json");
      assert.equal(JSON.parse(rendered.stdout).text, "Notes for 1=2\n");
      assert.equal((await run("render", "release-notes", "--arg", "version=3")).stdout, "Notes for 3\n");
      assert.equal((await shell.run(["commands", "render", "release-notes", "--arg", "version"])).code, 64);
      await run("update", "release-notes", "--slug", "notes", "--no-groups");
      const file = join(folder, "again.md");
      await run("export", "notes", "--file", file);
      assert.match(await readFile(file, "utf8"), /\n\nNotes for \$1\n$/);
      assert.match((await run("import", file, "--activate")).stderr, /Imported command `again`/);
      const again = JSON.parse((await run("get", "again", "-o", "json")).stdout);
      assert.deepEqual([again.content, again.status], ["Notes for {{version}}\n", "active"]);
      await run("deactivate", "again");
      assert.equal((await shell.run(["groups", "add-commands", "Writers", "again"])).code, 0);
      assert.equal((await shell.run(["groups", "remove-command", "Writers", "again"])).code, 0);
      for (const slug of ["again", "notes"]) await run("delete", slug, "--yes");
      assert.match((await run("list")).stderr, /No commands/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
