import assert from "node:assert/strict";
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import type { Report } from "#policy/types";
import { HomeFiles } from "../src/discover/home-files.ts";
import { Place } from "../src/discover/place.ts";
import { findProjects } from "../src/discover/project-roots.ts";
import { ParsedFiles } from "../src/discover/servers.ts";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { type FakeService, policyWith, startService } from "./fake-service.ts";
import { runCli, scanHome } from "./run-cli.ts";

/** Deeper than the folders that are searched without a list of a client. */
const PROJECT = "deep/x/y/z/app";

let fake: FakeHome;
let service: FakeService;
let project: string;

beforeEach(async () => {
  fake = emptyHome();
  project = join(fake.home, PROJECT);
  write(join(project, ".mcp.json"), '{"mcpServers":{"of-project":{"command":"npx","args":["x"]}}}');
  write(join(project, ".claude/skills/of-project/SKILL.md"), "---\nname: of-project\n---\n");
  service = await startService(policyWith([]));
});
afterEach(async () => {
  await service.close();
  rmSync(fake.root, { recursive: true, force: true });
});

/** The report that the service receives. */
async function report(): Promise<Report> {
  const place = ["--home", fake.home, "--platform", "linux", "--state-dir", fake.state];
  const env = { GATEHOUSE_URL: service.url, GATEHOUSE_SCAN_TOKEN: "scan-token" };
  const { code, stderr } = await runCli(["report", ...place], env);
  assert.equal(code, 0, stderr);
  return service.reports.at(-1) as Report;
}

function namesOf({ full, mcp_servers, skills }: Report) {
  return [full, mcp_servers.map(({ name }) => name), skills.map(({ name }) => name)];
}

describe("a project whose list cannot be read", () => {
  const lists: readonly (readonly [string, (root: string) => string, string])[] = [
    [".claude.json", (root) => JSON.stringify({ projects: { [root]: {} } }), '{"projects": {'],
    [".codex/config.toml", (root) => `[projects.${JSON.stringify(root)}]\ntrust_level = "trusted"\n`, "[broken"],
    [
      ".config/Code/User/workspaceStorage/1/workspace.json",
      (root) => JSON.stringify({ folder: `file://${root}` }),
      '{"folder": "fi',
    ],
  ];
  for (const [file, content, broken] of lists) {
    it(`is still scanned while ${file} is broken, and not after it lists other projects`, async () => {
      const path = write(join(fake.home, file), content(project));
      assert.deepEqual(namesOf(await report()), [true, ["of-project"], ["of-project"]]);
      writeFileSync(path, broken);
      for (const time of ["first", "second"]) {
        const after = await report();
        assert.deepEqual(namesOf(after), [true, ["of-project"], ["of-project"]], time);
        assert.deepEqual(after.errors, [{ path: `~/${file}`, code: "parse_error" }]);
      }
      writeFileSync(path, content(join(fake.home, "other")));
      assert.deepEqual(namesOf(await report()), [true, [], []]);
    });
  }

  it("is still scanned while the list, or the folder of the list, has no read permission", async () => {
    const path = write(join(fake.home, ".codex/config.toml"), `[projects.${JSON.stringify(project)}]\n`);
    if (process.geteuid?.() === 0) {
      // Root scans a home with the rights of its owner.
      chmodSync(fake.root, 0o755);
      for (const each of [fake.home, dirname(path), path]) chownSync(each, 65_534, 65_534);
    }
    await report();
    for (const locked of [path, dirname(path)]) {
      chmodSync(locked, 0);
      assert.deepEqual(namesOf(await report()), [true, ["of-project"], ["of-project"]], locked);
      chmodSync(locked, 0o700);
    }
  });

  it("makes the report partial if it was never read, so that nothing counts as removed", async () => {
    write(join(fake.home, ".claude.json"), '{"projects": {');
    assert.deepEqual(namesOf(await report()), [false, [], []]);
    writeFileSync(join(fake.home, ".claude.json"), "{}");
    assert.deepEqual(namesOf(await report()), [true, [], []]);
  });

  it("is found if the client writes the rest of the file during the scan", () => {
    const path = write(join(fake.home, ".claude.json"), '{"projects": {');
    const place = placeOf(fake.home);
    const files = new (class extends HomeFiles {
      override read(file: string, limit?: number) {
        const content = super.read(file, limit);
        writeFileSync(file, "{}");
        return content;
      }
    })(fake.home, place.addError);
    assert.deepEqual(new ParsedFiles(place).read({ path, files }, "json")?.value, {});
    assert.deepEqual(place.errors, []);
  });
});

describe("limits of a scan", () => {
  it("reports the folders of projects above the limit", () => {
    for (let n = 0; n < 5001; n++) mkdirSync(join(fake.home, "code", `p${n}`), { recursive: true });
    const late = join(fake.home, "repos/acme");
    mkdirSync(late, { recursive: true });
    const place = placeOf(fake.home);
    const { projects } = findProjects(place, new ParsedFiles(place), [], {});
    assert.equal(projects.length, 5000);
    assert.deepEqual(place.errors, [
      { path: "~/code", code: "too_many_entries" },
      { path: "~/repos", code: "too_many_entries" },
    ]);
  });

  it("reports a file with too many servers", async () => {
    const names = Array.from({ length: 1001 }, (_each, n) => `s${n}`);
    const mcpServers = Object.fromEntries(names.map((name) => [name, { command: name }]));
    write(join(fake.home, ".cursor/mcp.json"), JSON.stringify({ mcpServers }));
    const { full, mcp_servers, errors } = await scanHome(fake);
    assert.deepEqual([full, mcp_servers.length], [true, 1000]);
    assert.deepEqual(errors, [{ path: "~/.cursor/mcp.json", code: "too_many_entries" }]);
  });

  it("makes the report partial if there are too many errors", async () => {
    mkdirSync(join(fake.home, "code"));
    for (let n = 0; n < 1100; n++) symlinkSync("/etc", join(fake.home, "code", `l${n}`));
    write(join(fake.home, ".lmstudio/mcp.json"), "{bad");
    const { full, errors } = await scanHome(fake);
    assert.deepEqual([full, errors.length, errors.at(-1)], [false, 1000, { path: "~", code: "too_many_entries" }]);
  });

  it("reports the folder of a skill that cannot be read", async () => {
    const path = write(join(fake.home, ".claude/skills/large/SKILL.md"), "---\nname: large\n---\n");
    truncateSync(path, 2 * 1024 * 1024);
    const { errors } = await scanHome(fake);
    assert.deepEqual(errors, [
      { path: "~/.claude/skills/large/SKILL.md", code: "too_large" },
      { path: "~/.claude/skills/large", code: "not_readable" },
    ]);
  });

  it("scans a thousand homes, and reports that there are more", async () => {
    for (let n = 1000; n < 2001; n++) {
      const file = join(fake.systemRoot, "home", `u${n}`, ".cursor/mcp.json");
      write(file, '{"mcpServers":{"good":{"command":"npx","args":["good"]}}}');
    }
    const { device, errors, mcp_servers } = await scanHome(fake, "--all-users", "--platform", "linux");
    assert.deepEqual([device.users.length, mcp_servers.length], [999, 999]);
    assert.deepEqual(errors, [{ path: join(fake.systemRoot, "home"), code: "too_many_entries" }]);
  });
});

function placeOf(home: string): Place {
  return new Place({ platform: "linux", home, username: "a", systemRoot: undefined, maxDepth: 3 });
}
