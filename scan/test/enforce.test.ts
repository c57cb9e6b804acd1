import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { type FakeService, policyWith, startService } from "./fake-service.ts";
import { runCli } from "./run-cli.ts";

const EVIL = { match: { host: ["*.evil.example"] } };
const CONFIG = `{
  // servers of our team
  "mcpServers": {
    "good": { "command": "npx", "args": ["-y", "good"] }, // keep
    /* added by mistake */
    "evil": {
      "url": "https://a.evil.example/mcp?key=canary",
      "headers": { "Authorization": "Bearer canary" },
    },
  },
}
`;

let fake: FakeHome;
let service: FakeService;
let config: string;

beforeEach(async () => {
  fake = emptyHome();
  config = write(join(fake.home, ".cursor/mcp.json"), CONFIG);
  service = await startService(policyWith([EVIL]));
});
afterEach(async () => {
  await service.close();
  rmSync(fake.root, { recursive: true, force: true });
});

function run(command: string, ...args: string[]) {
  const env = { GATEHOUSE_URL: service.url, GATEHOUSE_SCAN_TOKEN: "scan-token" };
  return runCli([command, "--home", fake.home, "--platform", "linux", "--state-dir", fake.state, ...args], env);
}

async function enforce(
  ...args: string[]
): Promise<{ name: string; result: string; reason?: string; count?: number }[]> {
  const { stdout, stderr } = await run("enforce", "--json", ...args);
  assert.ok(stdout.startsWith("["), stderr);
  return JSON.parse(stdout);
}

function allowAll(): void {
  service.policy = policyWith([], { version: service.policy.version + 1 });
}

describe("enforcement", () => {
  it("removes only the blocked entry, reports it, and restores the same bytes when it is allowed", async () => {
    chmodSync(config, 0o640);
    const { code } = await run("enforce");
    assert.equal(code, 3);
    const edited = readFileSync(config, "utf8");
    assert.ok(edited.includes("// keep") && edited.includes("/* added by mistake */") && !edited.includes("evil"));
    assert.equal(statSync(config).mode & 0o777, 0o640);
    await run("report");
    assert.deepEqual(
      service.reports[0]?.enforcement?.map(({ name, result, count }) => [name, result, count]),
      [["evil", "quarantined", 1]],
    );
    allowAll();
    assert.deepEqual(
      (await enforce()).map(({ name, result }) => [name, result]),
      [["evil", "restored"]],
    );
    assert.equal(readFileSync(config, "utf8"), CONFIG);
    assert.equal(statSync(config).mode & 0o777, 0o640);
    await run("report");
    assert.deepEqual(
      service.reports[1]?.enforcement?.map(({ result }) => result),
      ["restored"],
    );
    await run("report");
    assert.equal(service.reports[2]?.enforcement, undefined);
    assert.ok(!JSON.stringify(service.reports).includes("canary"));
  });

  it("restores some entries of a file while others stay in quarantine, in any order", async () => {
    const text = CONFIG.replace('"good": {', '"worse": { "url": "https://b.evil.example" }, "good": {');
    writeFileSync(config, text);
    await run("enforce");
    service.policy = policyWith([{ match: { host: ["b.evil.example"] } }], { version: 2 });
    assert.deepEqual(
      (await enforce()).map(({ name, result }) => [name, result]),
      [["evil", "restored"]],
    );
    assert.ok(readFileSync(config, "utf8").includes('"evil"') && !readFileSync(config, "utf8").includes('"worse"'));
    const { code } = await run("restore", "--all");
    assert.equal(code, 0);
    assert.equal(readFileSync(config, "utf8"), text);
  });

  it("keeps changes that the user made in between", async () => {
    await run("enforce");
    writeFileSync(config, readFileSync(config, "utf8").replace('"good"', '"renamed"'));
    await run("restore", "--all");
    const restored = readFileSync(config, "utf8");
    assert.ok(restored.includes('"renamed"') && restored.includes("https://a.evil.example/mcp?key=canary"));
    assert.ok(restored.includes("// servers of our team"));
  });

  it("quarantines an entry again that the user adds again, and counts it", async () => {
    await run("enforce");
    writeFileSync(config, CONFIG);
    assert.deepEqual(
      (await enforce()).map(({ result, count }) => [result, count]),
      [["quarantined", 2]],
    );
    allowAll();
    await enforce();
    assert.equal(readFileSync(config, "utf8"), CONFIG);
  });

  it("prints a diff without secrets and changes nothing with --dry-run", async () => {
    const { stdout, code } = await run("enforce", "--dry-run");
    assert.equal(code, 3);
    assert.match(stdout, /^--- ~\/\.cursor\/mcp\.json$/m);
    assert.match(stdout, /^- {4}"evil": \{$/m);
    assert.ok(!stdout.includes("canary"), stdout);
    assert.equal(readFileSync(config, "utf8"), CONFIG);
    assert.ok(!existsSync(join(fake.state, "quarantine")));
  });

  it("edits TOML, and only reports YAML, lists and managed files", async () => {
    const toml = write(
      join(fake.home, ".codex/config.toml"),
      '[mcp_servers.evil]\nurl = "https://a.evil.example"\n\n# next\n[mcp_servers.good]\ncommand = "x"\n',
    );
    const original = readFileSync(toml, "utf8");
    const yaml = write(
      join(fake.home, ".config/goose/config.yaml"),
      "extensions:\n  evil:\n    uri: https://a.evil.example\n",
    );
    const results = await enforce();
    assert.deepEqual(
      results.map(({ result, reason }) => [result, reason]),
      [
        ["failed", "YAML files are not edited"],
        ["quarantined", undefined],
        ["quarantined", undefined],
      ],
    );
    assert.ok(readFileSync(toml, "utf8").startsWith("\n# next\n[mcp_servers.good]"));
    assert.ok(readFileSync(yaml, "utf8").includes("evil"));
    await run("restore", "--all");
    assert.equal(readFileSync(toml, "utf8"), original);
  });

  it("moves a blocked skill with its files, and a linked one as a link", async () => {
    service.policy = policyWith([{ kind: "skill", match: { name: ["bad*"] } }]);
    const skill = join(fake.home, ".claude/skills/bad");
    write(join(skill, "SKILL.md"), "---\nname: bad\ndescription: x\n---\n");
    chmodSync(write(join(skill, "scripts/run.sh"), "#!/bin/sh\n"), 0o755);
    const target = join(fake.home, "shared/bad-linked");
    write(join(target, "SKILL.md"), "---\nname: bad-linked\ndescription: x\n---\n");
    symlinkSync(target, join(fake.home, ".claude/skills/bad-linked"));
    assert.deepEqual(
      (await enforce()).map(({ name, result }) => [name, result]),
      [
        ["bad", "quarantined"],
        ["bad-linked", "quarantined"],
      ],
    );
    assert.deepEqual(readdirSync(join(fake.home, ".claude/skills")), []);
    assert.ok(existsSync(join(target, "SKILL.md")));
    allowAll();
    await enforce();
    assert.equal(statSync(join(skill, "scripts/run.sh")).mode & 0o777, 0o755);
    assert.ok(lstatSync(join(fake.home, ".claude/skills/bad-linked")).isSymbolicLink());
    assert.equal(readlinkSync(join(fake.home, ".claude/skills/bad-linked")), target);
  });

  it("replaces the file that a link names, and keeps the link", async () => {
    const real = write(join(fake.home, "dotfiles/mcp.json"), CONFIG);
    rmSync(config);
    symlinkSync("../dotfiles/mcp.json", config);
    assert.deepEqual(
      (await enforce()).map(({ result }) => result),
      ["quarantined"],
    );
    assert.ok(lstatSync(config).isSymbolicLink());
    assert.ok(!readFileSync(real, "utf8").includes("evil"));
  });

  it("edits a file once that two clients are linked to, and restores it", async () => {
    const text = CONFIG.replace('"good": {', '"worse": { "url": "https://b.evil.example" }, "good": {');
    const real = write(join(fake.home, "dotfiles/mcp.json"), text);
    rmSync(config);
    symlinkSync("../dotfiles/mcp.json", config);
    mkdirSync(join(fake.home, ".kimi"));
    symlinkSync("../dotfiles/mcp.json", join(fake.home, ".kimi/mcp.json"));
    assert.deepEqual(
      (await enforce()).map(({ result }) => result),
      ["quarantined", "quarantined", "quarantined", "quarantined"],
    );
    assert.ok(!readFileSync(real, "utf8").includes("evil.example"));
    service.policy = policyWith([{ match: { host: ["b.evil.example"] } }], { version: 2 });
    assert.deepEqual(
      (await enforce()).map(({ name, result }) => [name, result]),
      [
        ["evil", "restored"],
        ["evil", "restored"],
      ],
    );
    service.policy = policyWith([], { version: 3 });
    await enforce();
    assert.equal(readFileSync(real, "utf8"), text);
    assert.ok(lstatSync(config).isSymbolicLink());
  });

  it("reports errors of the operating system without absolute paths", async () => {
    service.policy = policyWith([{ kind: "skill", match: { name: ["bad"] } }]);
    write(join(fake.home, ".claude/skills/bad/SKILL.md"), "---\nname: bad\ndescription: x\n---\n");
    write(join(fake.state, "skills"), "a file where the folder should be");
    assert.deepEqual(
      (await enforce()).map(({ result, reason }) => [result, reason]),
      [["failed", "EEXIST: file already exists, mkdir"]],
    );
  });

  it("writes managed settings of Claude Code only where system-wide files may be written", async () => {
    const system = join(fake.systemRoot, "etc/claude-code/managed-settings.d/50-gatehouse.json");
    await run("enforce");
    assert.ok(!existsSync(system));
    await run("enforce", "--system-root", fake.systemRoot);
    assert.deepEqual(JSON.parse(readFileSync(system, "utf8")), {
      deniedMcpServers: [{ serverUrl: "https://*.evil.example/*" }, { serverUrl: "http://*.evil.example/*" }],
    });
    allowAll();
    await run("enforce", "--system-root", fake.systemRoot);
    assert.ok(!existsSync(system));
  });

  it("notifies once per item", async () => {
    service.policy = policyWith([{ ...EVIL, action: "warn", message: "Ask security." }]);
    await run("enforce");
    await run("enforce");
    const notices = JSON.parse(readFileSync(join(fake.state, "notices.json"), "utf8")) as { text: string }[];
    assert.deepEqual(
      notices.map(({ text }) => text),
      ["Your organization advises against the MCP server evil (cursor). Ask security."],
    );
    assert.equal(readFileSync(config, "utf8"), CONFIG);
  });

  it("changes nothing in monitor mode", async () => {
    service.policy = policyWith([EVIL], { enforcement: "monitor" });
    const { code, stdout } = await run("enforce");
    assert.equal(code, 3);
    assert.match(stdout, /block {2}MCP server evil \(cursor\)/);
    assert.equal(readFileSync(config, "utf8"), CONFIG);
  });

  it("restores everything when the policy changes to monitor mode, and reports it", async () => {
    service.policy = policyWith([EVIL, { kind: "skill", match: { name: ["bad"] } }]);
    write(join(fake.home, ".claude/skills/bad/SKILL.md"), "---\nname: bad\ndescription: x\n---\n");
    const system = join(fake.systemRoot, "etc/claude-code/managed-settings.d/50-gatehouse.json");
    await run("enforce", "--system-root", fake.systemRoot);
    assert.ok(existsSync(system) && readFileSync(config, "utf8") !== CONFIG);
    await run("report");
    service.policy = policyWith([EVIL], { enforcement: "monitor", version: 2 });
    const { code, stdout } = await run("enforce", "--system-root", fake.systemRoot);
    assert.equal(code, 3);
    assert.match(
      stdout,
      /^restored {5}mcp_server evil \(cursor\)\nrestored {5}skill bad .*\nremoved {6}managed settings/,
    );
    assert.match(stdout, /block {2}MCP server evil \(cursor\)/);
    assert.equal(readFileSync(config, "utf8"), CONFIG);
    assert.ok(existsSync(join(fake.home, ".claude/skills/bad/SKILL.md")) && !existsSync(system));
    await run("report");
    assert.deepEqual(
      service.reports.at(-1)?.enforcement?.map(({ result }) => result),
      ["restored", "restored"],
    );
  });

  it("changes nothing with a policy in monitor mode that is older than 7 days", async () => {
    await run("enforce");
    const edited = readFileSync(config, "utf8");
    const cached = join(fake.state, "policy.json");
    const confirmed_at = new Date(Date.now() - 8 * 86_400_000).toISOString();
    writeFileSync(cached, JSON.stringify({ policy: policyWith([EVIL], { enforcement: "monitor" }), confirmed_at }));
    service.failWith = 503;
    await run("enforce");
    assert.equal(readFileSync(config, "utf8"), edited);
  });

  it("shows with --dry-run what enforcement would do, also in monitor mode", async () => {
    service.policy = policyWith([EVIL], { enforcement: "monitor" });
    const { code, stdout } = await run("enforce", "--dry-run");
    assert.equal(code, 3);
    assert.match(stdout, /^The policy is in monitor mode/);
    assert.match(stdout, /^- {4}"evil": \{$/m);
    assert.equal(readFileSync(config, "utf8"), CONFIG);
  });

  it("keeps the state readable by its owner only", async () => {
    await run("enforce");
    const [name = ""] = readdirSync(join(fake.state, "quarantine"));
    const stored = JSON.parse(readFileSync(join(fake.state, "quarantine", name), "utf8"));
    assert.deepEqual([stored.path, stored.pointer], [config, ["mcpServers", "evil"]]);
    assert.equal(stored.value.url, "https://a.evil.example/mcp?key=canary");
    assert.equal(statSync(join(fake.state, "quarantine", name)).mode & 0o777, 0o600);
    assert.equal(statSync(fake.state).mode & 0o777, 0o700);
  });
});

describe("without the service", () => {
  it("enforces the stored policy, but not one that is older than 7 days", async () => {
    await run("doctor");
    service.failWith = 503;
    const cached = join(fake.state, "policy.json");
    const stored = JSON.parse(readFileSync(cached, "utf8"));
    writeFileSync(
      cached,
      JSON.stringify({ ...stored, confirmed_at: new Date(Date.now() - 8 * 86_400_000).toISOString() }),
    );
    const { stderr } = await run("enforce");
    assert.match(stderr, /older than 7 days and is not enforced/);
    assert.equal(readFileSync(config, "utf8"), CONFIG);
    writeFileSync(
      cached,
      JSON.stringify({ ...stored, confirmed_at: new Date(Date.now() - 6 * 86_400_000).toISOString() }),
    );
    assert.deepEqual(
      (await enforce()).map(({ result }) => result),
      ["quarantined"],
    );
  });

  it("keeps reports and sends them later, oldest first", async () => {
    service.failWith = 503;
    assert.equal((await run("report")).code, 1);
    assert.equal((await run("report")).code, 1);
    assert.equal(readdirSync(join(fake.state, "spool")).length, 2);
    service.failWith = undefined;
    assert.equal((await run("report")).code, 3);
    const times = service.reports.map(({ scanned_at }) => scanned_at);
    assert.equal(times.length, 3);
    assert.deepEqual(times, times.toSorted());
    assert.deepEqual(readdirSync(join(fake.state, "spool")), []);
    assert.ok(service.requests.every((request) => request.endsWith("Bearer scan-token")));
  });

  it("does not repeat a report that the service rejects", async () => {
    service.failWith = 400;
    const { code, stderr } = await run("report");
    assert.equal(code, 1);
    assert.match(stderr, /rejected the request \(400\): no/);
    assert.equal(service.requests.length, 1);
    assert.ok(!existsSync(join(fake.state, "spool")));
  });

  it("keeps reports while the token or the URL is wrong, and says what to check", async () => {
    service.failWith = 503;
    assert.equal((await run("report")).code, 1);
    for (const [status, message] of [
      [401, /rejected the token \(401\)\. Check that GATEHOUSE_SCAN_TOKEN is a valid API token/],
      [404, /answered with 404\. Check that GATEHOUSE_URL is the URL of Gatehouse\.\n$/],
    ] as const) {
      service.failWith = status;
      const { code, stderr } = await run("report");
      assert.equal(code, 1);
      assert.match(stderr, message);
    }
    assert.equal(readdirSync(join(fake.state, "spool")).length, 1);
    service.failWith = undefined;
    assert.equal((await run("report")).code, 3);
    assert.equal(service.reports.length, 2);
  });

  it("lets doctor fail, also if there is a stored policy", async () => {
    assert.equal((await run("doctor")).code, 0);
    service.failWith = 503;
    const { code, stdout } = await run("doctor");
    assert.equal(code, 1);
    assert.match(stdout, /^failed {3}Service: http:\S+ answered with 503\. The stored policy applies\.$/m);
  });

  it("says that the quarantine is empty", async () => {
    assert.deepEqual(await run("restore", "--all"), { code: 0, stdout: "The quarantine is empty.\n", stderr: "" });
  });
});
