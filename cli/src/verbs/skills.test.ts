import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { it } from "node:test";
import { createGroup } from "#test/factories";
import { makeZip, SKILL_MD } from "#test/zip";
import { withService } from "../../test/with-service.ts";

withService("gatehouse skills", (world) => {
  it("imports, activates, changes, restores, downloads and deletes a skill", async () => {
    const { service, shell } = world;
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-skills-"));
    try {
      await createGroup(service, "Writers");
      const run = async (...args: string[]) => {
        const { code, stdout, stderr } = await shell.run(["skills", ...args]);
        assert.equal(code, 0, stderr);
        return { stdout, stderr };
      };
      const archive = join(folder, "notes.zip");
      await writeFile(
        archive,
        makeZip([
          { path: "notes/SKILL.md", content: SKILL_MD },
          { path: "notes/a", content: "1" },
        ]),
      );
      assert.match((await run("validate", archive)).stderr, /The skill notes is valid/);
      assert.match((await run("import", archive, "--activate")).stderr, /Imported skill `notes`/);
      assert.equal((await shell.run(["skills", "import", archive])).code, 1);
      await run("update", "notes", "--description", "Changed.", "--group", "Writers");
      assert.match((await run("list")).stdout, /notes +active +2 +2 +Writers +Changed\./);
      await run("rollback", "notes", "1");
      assert.match((await run("versions", "notes")).stdout, /^3 +yes/m);
      const saved = join(folder, "saved.zip");
      await run("download", "notes", "--file", saved);
      assert.equal((await readFile(saved)).subarray(0, 2).toString(), "PK");
      assert.equal(JSON.parse((await run("get", "notes", "-o", "json")).stdout).files.length, 2);
      await run("deactivate", "notes");
      const content = join(folder, "content.md");
      await writeFile(content, "# Other\n");
      await run("create", "other", "--description", "Other", "--content", content);
      const grouped = await shell.run(["groups", "add-skills", "Writers", "other"]);
      assert.equal(grouped.code, 0, grouped.stderr);
      assert.equal((await shell.run(["groups", "remove-skill", "Writers", "other"])).code, 0);
      for (const name of ["notes", "other"]) await run("delete", name, "--yes");
      assert.match((await run("list")).stderr, /No skills/);
      const broken = join(folder, "SKILL.md");
      await writeFile(broken, "---\nname: A\n---\n");
      const invalid = await shell.run(["skills", "validate", broken]);
      assert.equal(invalid.code, 64);
      assert.match(invalid.stdout, /error +description +description is required/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
