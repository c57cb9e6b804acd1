import assert from "node:assert/strict";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import {
  ANY_CANARY,
  CUT_FILE_NAME,
  cutAt,
  SECRET_NAMES,
  SECRET_PATH,
  SECRET_SERVERS,
  SECRET_SKILLS,
  SECRET_TOOL,
  SECRET_VERSION,
} from "#policy/secret-places";
import type { Report } from "#policy/types";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { scanHome } from "./run-cli.ts";

const SERVERS = "~/.cursor/mcp.json";

function writeServers({ home }: FakeHome): void {
  const named = SECRET_NAMES.map((name) => [name, { url: "https://named.example/mcp" }] as const);
  const configured = SECRET_SERVERS.map((fields, at) => [`s${at}`, fields] as const);
  write(join(home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: Object.fromEntries([...configured, ...named]) }));
  const project = { mcpServers: { x: { command: "x" } } };
  write(join(home, ".claude.json"), JSON.stringify({ projects: { [`/srv/${SECRET_PATH}`]: project } }));
}

function writeSkills({ home }: FakeHome): void {
  const front = (name: string, description: string, tools: unknown) =>
    `---\nname: ${JSON.stringify(name)}\ndescription: ${JSON.stringify(description)}\nallowed-tools: ${JSON.stringify(tools)}\n---\n`;
  for (const [at, { description, allowedTools, body }] of SECRET_SKILLS.entries())
    write(join(home, `.claude/skills/s${at}/SKILL.md`), front(`s${at}`, description, allowedTools) + body);
  for (const [at, name] of SECRET_NAMES.entries())
    write(join(home, `.claude/skills/n${at}/SKILL.md`), front(name, "", ""));
  const filler = `filler: |\n${"  x\n".repeat(16_371)}`;
  write(join(home, ".claude/skills/long/SKILL.md"), `---\nname: long\n${filler}description: ${SECRET_NAMES[0]}\n---\n`);
  write(join(home, `.claude/skills/${SECRET_PATH}/SKILL.md`), "No front matter\n");
  write(join(home, ".claude/skills/cut/SKILL.md"), cutAt(256 * 1024, "y "));
}

/** Files with secrets in their paths: memory, agents, and configurations that cannot be parsed. */
function writePaths({ home }: FakeHome): void {
  const project = join(home, "code", SECRET_PATH);
  write(join(project, "AGENTS.md"), "x");
  write(join(project, ".cursor/mcp.json"), "{bad");
  write(join(project, ".claude/skills/inside/SKILL.md"), "x");
  write(join(home, `.claude/agents/${CUT_FILE_NAME}.md`), "x");
  write(join(home, "lib/claude/package.json"), JSON.stringify({ version: SECRET_VERSION }));
  const program = write(join(home, "lib/claude/cli.js"), "");
  mkdirSync(join(home, ".local/bin"), { recursive: true });
  symlinkSync(program, join(home, ".local/bin/claude"));
}

describe("a scan of a home with secrets in every place", () => {
  let fake: FakeHome;
  let report: Report;
  before(async () => {
    const empty = emptyHome();
    fake = { ...empty, home: join(dirname(empty.home), SECRET_PATH) };
    mkdirSync(fake.home);
    writeServers(fake);
    writeSkills(fake);
    writePaths(fake);
    report = await scanHome(fake, "--include-content");
  });
  after(() => rmSync(fake.root, { recursive: true, force: true }));

  it("reports every place", () => {
    const servers = report.mcp_servers.filter(({ config_path }) => config_path === SERVERS);
    assert.equal(servers.length, SECRET_SERVERS.length + SECRET_NAMES.length);
    assert.equal(report.mcp_servers.filter(({ project }) => project === "/srv/x-[REDACTED]").length, 1);
    assert.equal(report.skills.length, SECRET_SKILLS.length + SECRET_NAMES.length + 4);
    const path = "~/code/x-[REDACTED]/AGENTS.md";
    assert.ok(report.agent_memory.some((memory) => memory.path === path && memory.project === dirname(path)));
    assert.deepEqual(report.errors, [{ path: "~/code/x-[REDACTED]/.cursor/mcp.json", code: "parse_error" }]);
    const agents = report.agents.map(({ kind, name, version }) => [kind, name.replace(/^x+/, "x"), version].join(" "));
    assert.ok(agents.includes("subagent x-[REDACTED] "), agents.join("\n"));
    assert.ok(agents.includes("cli claude 1.0.0-[REDACTED]"), agents.join("\n"));
    assert.deepEqual([report.user.username, report.device.users], ["x-[REDACTED]", ["x-[REDACTED]"]]);
  });

  it("redacts the tools of a skill like commands", async () => {
    const other = emptyHome();
    write(join(other.home, ".claude/skills/x/SKILL.md"), `---\nname: x\nallowed-tools: ${SECRET_TOOL}\n---\n`);
    const { skills } = await scanHome(other);
    rmSync(other.root, { recursive: true, force: true });
    assert.deepEqual(
      skills.map(({ allowed_tools }) => allowed_tools),
      ["Bash(x --password [REDACTED]"],
    );
  });

  for (const list of ["mcp_servers", "skills", "agent_memory", "agents", "errors"] as const) {
    it(`contains no secret in ${list}`, () => {
      const leaks = report[list].filter((item) => ANY_CANARY.test(JSON.stringify(item)));
      assert.deepEqual(leaks.map(aroundCanary), []);
    });
  }

  it("contains no secret in any other field", () => {
    const { mcp_servers: _s, skills: _k, agent_memory: _m, agents: _a, errors: _e, ...rest } = report;
    assert.equal(ANY_CANARY.test(JSON.stringify(rest)), false, JSON.stringify(rest));
  });
});

/** Texts of skills are long. */
function aroundCanary(item: object): string {
  const text = JSON.stringify(item);
  const at = text.search(ANY_CANARY);
  return `${text.slice(0, 60)} … ${text.slice(Math.max(0, at - 100), at + 60)}`;
}
