import assert from "node:assert/strict";
import { appendFile, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, it } from "node:test";
import { createGroup } from "#test/factories";
import { withService } from "../../test/with-service.ts";

withService("gatehouse export, plan and apply", (world) => {
  const { shell } = world;
  const folder = join(shell.folder, "config");
  const environment = { SERVERS_GITHUB_HEADERS_X_API_KEY: "key-1" };
  before(async () => {
    await createGroup(world.service, "Engineering");
    const upstream = { url: "http://127.0.0.1:65001/mcp", headers: { "X-Api-Key": "key-1" } };
    await world.service.api("POST", "/api/mcp-servers", { name: "GitHub", upstream });
  });

  it("exports one file per kind, with references instead of secrets, and plans no changes", async () => {
    const { code, stderr } = await shell.run(["export", folder]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /Set these variables for plan and apply: SERVERS_GITHUB_HEADERS_X_API_KEY/);
    assert.ok((await readdir(folder)).includes("groups.yaml"));
    const servers = await readFile(join(folder, "servers.yaml"), "utf8");
    assert.match(servers, /X-Api-Key: \$\{env:SERVERS_GITHUB_HEADERS_X_API_KEY\}/);
    assert.ok(!servers.includes("key-1"));
    const missing = await shell.run(["plan", folder]);
    assert.equal(missing.code, 64);
    assert.match(missing.stderr, /Set the environment variables of the secrets: SERVERS_GITHUB_HEADERS_X_API_KEY\n/);
    const plan = await shell.run(["plan", folder, "--prune"], { environment });
    assert.deepEqual([plan.code, plan.stderr], [0, "No changes.\n"]);
  });

  it("exits with 2 if there are changes, applies them, and keeps comments in files", async () => {
    await appendFile(join(folder, "groups.yaml"), "  # Answers customers\n  - name: Support\n");
    const plan = await shell.run(["plan", folder], { environment });
    assert.deepEqual([plan.code, plan.stdout], [2, "+ groups Support\n"]);
    const refused = await shell.run(["apply", folder], { environment });
    assert.equal(refused.code, 64);
    const applied = await shell.run(["apply", folder, "--yes"], { environment });
    assert.equal(applied.code, 0, applied.stderr);
    assert.equal((await shell.run(["plan", folder], { environment })).code, 0);
    assert.match(await readFile(join(folder, "groups.yaml"), "utf8"), /# Answers customers/);
    assert.equal((await shell.run(["export", folder])).code, 64);
    assert.equal((await shell.run(["export", folder, "--force"])).code, 0);
    assert.equal((await shell.run(["export", folder])).code, 0);
  });

  it("names the file and the entry of an error", async () => {
    const wrong = join(shell.folder, "wrong");
    await mkdir(wrong);
    const planned = async (files: Record<string, string>) => {
      for (const [name, text] of Object.entries(files)) await writeFile(join(wrong, `${name}.yaml`), text);
      const { code, stderr } = await shell.run(["plan", wrong]);
      return [code, stderr.replaceAll(wrong, "").trim()];
    };
    const first = { a: "groups:\n  - name: Engineering\n" };
    const [code, unknown] = await planned({
      ...first,
      b: "groups:\n  - name: Sales\n  - name: Ops\n    hue: red\n",
    });
    assert.equal(code, 64);
    assert.match(String(unknown), /\/b\.yaml: groups, entry 2: unknown field hue\. Fields: name/);
    const twice = await planned({ ...first, b: "groups:\n  - name: Sales\n  - name: Engineering\n" });
    assert.equal(twice[0], 64);
    assert.match(String(twice[1]), /\/b\.yaml: groups, entry 2: Engineering is declared twice/);
    const section = await planned({ ...first, b: "group:\n  - name: Sales\n" });
    assert.equal(section[0], 64);
    assert.match(String(section[1]), /\/b\.yaml: unknown section group\. Sections: settings/);
  });

  it("names the file of a kind, an alias, or a name that cannot be read", async () => {
    const odd = join(shell.folder, "odd");
    await mkdir(odd);
    const texts: [text: string, problem: RegExp][] = [
      ["constructor:\n  - name: x\n", /: unknown section constructor\. Sections: settings/],
      ["groups:\n  - *missing\n", /: Unresolved alias .*: missing$/m],
      ["groups: &all\n  - name: x\n  - *all\n", /: an alias is inside of its anchor$/m],
      ["groups:\n  - name: 2026\n", /: groups, entry 1: name must be a string\. In YAML, put it in quotes$/m],
    ];
    for (const [text, problem] of texts) {
      const path = join(odd, "odd.yaml");
      await writeFile(path, text);
      const { code, stderr } = await shell.run(["plan", odd]);
      assert.deepEqual([code, stderr.startsWith(`gatehouse: ${path}: `)], [64, true], stderr);
      assert.match(stderr, problem);
    }
  });

  it("requires the variables of references, also if they are empty", async () => {
    for (const environment of [{}, { SERVERS_GITHUB_HEADERS_X_API_KEY: "" }]) {
      const { code, stderr } = await shell.run(["plan", folder], { environment });
      assert.equal(code, 64);
      assert.match(stderr, /Set the environment variables of the secrets: SERVERS_GITHUB_HEADERS_X_API_KEY\n/);
    }
  });

  it("applies only the changes that were confirmed", async () => {
    const confirmed = join(shell.folder, "confirmed");
    await mkdir(confirmed);
    await writeFile(join(confirmed, "toolkits.yaml"), "toolkits: []\n");
    const create = (name: string) => world.service.api("POST", "/api/toolkits", { name });
    await create("Shown");
    const run = shell.startAtTerminal(["apply", confirmed, "--prune"]);
    await run.shows("- toolkits shown");
    await run.shows("[y/N]");
    await create("Not shown");
    run.child.stdin.write("y\n");
    const { code, stdout } = await run.ended;
    assert.equal(code, 1, stdout);
    assert.match(stdout, /The installation changed after the plan, so nothing was applied\. Plan again/);
    const again = await shell.run(["apply", confirmed, "--prune", "--yes"]);
    assert.deepEqual([again.code, again.stdout.split("\n").length, again.stderr], [0, 3, "Made 2 changes.\n"]);
  });

  it("releases an object from files, so that it can be changed", async () => {
    const refused = await shell.run(["groups", "delete", "Support", "--yes"]);
    assert.deepEqual(
      [refused.code, /gatehouse release groups Support/.test(refused.stderr)],
      [1, true],
      refused.stderr,
    );
    const released = await shell.run(["release", "groups", "Support"]);
    assert.deepEqual([released.code, released.stderr], [0, "Released groups Support from files.\n"]);
    assert.equal((await shell.run(["groups", "delete", "Support", "--yes"])).code, 0);
    assert.equal((await shell.run(["apply", folder, "--yes"], { environment })).code, 0);
  });

  it("exits with 1 if the service rejects an object, and with 64 for an invalid file", async () => {
    await writeFile(join(folder, "more.yaml"), "groups:\n  - name: Other\n    members: [nobody@example.com]\n");
    const rejected = await shell.run(["apply", folder, "--yes"], { environment });
    assert.equal(rejected.code, 1);
    assert.match(rejected.stderr, /groups Other: .*nobody@example\.com/);
    await writeFile(join(folder, "more.yaml"), "groups:\n  - name: Other\n   bad\n");
    const invalid = await shell.run(["plan", folder], { environment });
    assert.equal(invalid.code, 64);
    assert.match(invalid.stderr, /^gatehouse: .*more\.yaml: [^\\]* at line 3, column 1\nRun "gatehouse plan --help"/);
  });

  it("reports a file that cannot be read, and a folder that cannot be created, in one line", async () => {
    await mkdir(join(shell.folder, "unreadable", "folder.yaml"), { recursive: true });
    const unread = await shell.run(["plan", "unreadable"]);
    const help = 'Run "gatehouse plan --help" for usage.\n';
    assert.deepEqual(
      [unread.code, unread.stderr],
      [64, `gatehouse: Cannot read ${join("unreadable", "folder.yaml")}\n${help}`],
    );
    await writeFile(join(shell.folder, "file"), "");
    const blocked = await shell.run(["export", "file"]);
    assert.deepEqual([blocked.code, blocked.stderr], [1, "gatehouse: Cannot use file: file already exists\n"]);
    const nested = await shell.run(["export", join(folder, "new", "nested")]);
    assert.equal(nested.code, 0, nested.stderr);
    // No user can create folders in /proc, and systems without it have a root that the test cannot write to.
    const refused = await shell.run(["export", "/proc/gatehouse/config"]);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^gatehouse: Cannot use \/proc[^:\n]*: [^\n]+\n$/);
  });
});
