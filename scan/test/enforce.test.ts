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
import { describe, it } from "node:test";
import { CONFIG, EnforcedDevice, EVIL } from "./enforced-device.ts";
import { write } from "./fake-home.ts";
import { policyWith } from "./fake-service.ts";

describe("enforcement", () => {
  const device = new EnforcedDevice();

  it("removes only the blocked entry, reports it, and restores the same bytes when it is allowed", async () => {
    chmodSync(device.config, 0o640);
    const { code } = await device.run("enforce");
    assert.equal(code, 3);
    const edited = readFileSync(device.config, "utf8");
    assert.ok(edited.includes("// keep") && edited.includes("/* added by mistake */") && !edited.includes("evil"));
    assert.equal(statSync(device.config).mode & 0o777, 0o640);
    await device.run("report");
    assert.deepEqual(
      device.service.reports[0]?.enforcement?.map(({ name, result, count }) => [name, result, count]),
      [["evil", "quarantined", 1]],
    );
    device.allowAll();
    assert.deepEqual(
      (await device.enforce()).map(({ name, result }) => [name, result]),
      [["evil", "restored"]],
    );
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
    assert.equal(statSync(device.config).mode & 0o777, 0o640);
    await device.run("report");
    assert.deepEqual(
      device.service.reports[1]?.enforcement?.map(({ result }) => result),
      ["restored"],
    );
    await device.run("report");
    assert.equal(device.service.reports[2]?.enforcement, undefined);
    assert.ok(!JSON.stringify(device.service.reports).includes("canary"));
  });

  it("restores some entries of a file while others stay in quarantine, in any order", async () => {
    const text = CONFIG.replace('"good": {', '"worse": { "url": "https://b.evil.example" }, "good": {');
    writeFileSync(device.config, text);
    await device.run("enforce");
    device.service.policy = policyWith([{ match: { host: ["b.evil.example"] } }], { version: 2 });
    assert.deepEqual(
      (await device.enforce()).map(({ name, result }) => [name, result]),
      [["evil", "restored"]],
    );
    assert.ok(
      readFileSync(device.config, "utf8").includes('"evil"') &&
        !readFileSync(device.config, "utf8").includes('"worse"'),
    );
    const { code } = await device.run("restore", "--all");
    assert.equal(code, 0);
    assert.equal(readFileSync(device.config, "utf8"), text);
  });

  it("keeps changes that the user made in between", async () => {
    await device.run("enforce");
    writeFileSync(device.config, readFileSync(device.config, "utf8").replace('"good"', '"renamed"'));
    await device.run("restore", "--all");
    const restored = readFileSync(device.config, "utf8");
    assert.ok(restored.includes('"renamed"') && restored.includes("https://a.evil.example/mcp?key=canary"));
    assert.ok(restored.includes("// servers of our team"));
  });

  it("quarantines an entry again that the user adds again, and counts it", async () => {
    await device.run("enforce");
    writeFileSync(device.config, CONFIG);
    assert.deepEqual(
      (await device.enforce()).map(({ result, count }) => [result, count]),
      [["quarantined", 2]],
    );
    device.allowAll();
    await device.enforce();
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
  });

  it("prints a diff without secrets and changes nothing with --dry-run", async () => {
    const { stdout, code } = await device.run("enforce", "--dry-run");
    assert.equal(code, 3);
    assert.match(stdout, /^--- ~\/\.cursor\/mcp\.json$/m);
    assert.match(stdout, /^- {4}"evil": \{$/m);
    assert.ok(!stdout.includes("canary"), stdout);
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
    assert.ok(!existsSync(join(device.fake.state, "quarantine")));
  });

  it("edits TOML, and only reports YAML, lists and managed files", async () => {
    const toml = write(
      join(device.fake.home, ".codex/config.toml"),
      '[mcp_servers.evil]\nurl = "https://a.evil.example"\n\n# next\n[mcp_servers.good]\ncommand = "x"\n',
    );
    const original = readFileSync(toml, "utf8");
    const yaml = write(
      join(device.fake.home, ".config/goose/config.yaml"),
      "extensions:\n  evil:\n    uri: https://a.evil.example\n",
    );
    const results = await device.enforce();
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
    await device.run("restore", "--all");
    assert.equal(readFileSync(toml, "utf8"), original);
  });

  it("does not repeat lines of a TOML file that is not valid", async () => {
    rmSync(device.config);
    const toml = write(
      join(device.fake.home, ".codex/config.toml"),
      '[mcp_servers.evil]\nurl = "https://a.evil.example"\n',
    );
    await device.run("enforce");
    writeFileSync(toml, '[mcp_servers.db.env]\nPIN = "canary"\nbroken = = 1\nPLACE = "canary"\n');
    const { stdout } = await device.run("restore", "--all");
    assert.equal(stdout, "failed  evil: Invalid TOML in line 3\n");
    await device.run("report");
    assert.ok(!JSON.stringify(device.service.reports).includes("canary"));
    assert.ok(!readFileSync(join(device.fake.state, "results.json"), "utf8").includes("canary"));
  });

  it("moves a blocked skill with its files, and a linked one as a link", async () => {
    device.service.policy = policyWith([{ kind: "skill", match: { name: ["bad*"] } }]);
    const skill = join(device.fake.home, ".claude/skills/bad");
    write(join(skill, "SKILL.md"), "---\nname: bad\ndescription: x\n---\n");
    chmodSync(write(join(skill, "scripts/run.sh"), "#!/bin/sh\n"), 0o755);
    const target = join(device.fake.home, "shared/bad-linked");
    write(join(target, "SKILL.md"), "---\nname: bad-linked\ndescription: x\n---\n");
    symlinkSync(target, join(device.fake.home, ".claude/skills/bad-linked"));
    assert.deepEqual(
      (await device.enforce()).map(({ name, result }) => [name, result]),
      [
        ["bad", "quarantined"],
        ["bad-linked", "quarantined"],
      ],
    );
    assert.deepEqual(readdirSync(join(device.fake.home, ".claude/skills")), []);
    assert.ok(existsSync(join(target, "SKILL.md")));
    device.allowAll();
    await device.enforce();
    assert.equal(statSync(join(skill, "scripts/run.sh")).mode & 0o777, 0o755);
    assert.ok(lstatSync(join(device.fake.home, ".claude/skills/bad-linked")).isSymbolicLink());
    assert.equal(readlinkSync(join(device.fake.home, ".claude/skills/bad-linked")), target);
  });

  it("replaces the file that a link names, and keeps the link", async () => {
    const real = write(join(device.fake.home, "dotfiles/mcp.json"), CONFIG);
    rmSync(device.config);
    symlinkSync("../dotfiles/mcp.json", device.config);
    assert.deepEqual(
      (await device.enforce()).map(({ result }) => result),
      ["quarantined"],
    );
    assert.ok(lstatSync(device.config).isSymbolicLink());
    assert.ok(!readFileSync(real, "utf8").includes("evil"));
  });

  it("edits a file once that two clients are linked to, and restores it", async () => {
    const text = CONFIG.replace('"good": {', '"worse": { "url": "https://b.evil.example" }, "good": {');
    const real = write(join(device.fake.home, "dotfiles/mcp.json"), text);
    rmSync(device.config);
    symlinkSync("../dotfiles/mcp.json", device.config);
    mkdirSync(join(device.fake.home, ".kimi"));
    symlinkSync("../dotfiles/mcp.json", join(device.fake.home, ".kimi/mcp.json"));
    assert.deepEqual(
      (await device.enforce()).map(({ result }) => result),
      ["quarantined", "quarantined", "quarantined", "quarantined"],
    );
    assert.ok(!readFileSync(real, "utf8").includes("evil.example"));
    device.service.policy = policyWith([{ match: { host: ["b.evil.example"] } }], { version: 2 });
    assert.deepEqual(
      (await device.enforce()).map(({ name, result }) => [name, result]),
      [
        ["evil", "restored"],
        ["evil", "restored"],
      ],
    );
    device.service.policy = policyWith([], { version: 3 });
    await device.enforce();
    assert.equal(readFileSync(real, "utf8"), text);
    assert.ok(lstatSync(device.config).isSymbolicLink());
  });

  it("reports errors of the operating system without absolute paths", async () => {
    device.service.policy = policyWith([{ kind: "skill", match: { name: ["bad"] } }]);
    write(join(device.fake.home, ".claude/skills/bad/SKILL.md"), "---\nname: bad\ndescription: x\n---\n");
    write(join(device.fake.state, "skills"), "a file where the folder should be");
    assert.deepEqual(
      (await device.enforce()).map(({ result, reason }) => [result, reason]),
      [["failed", "EEXIST: file already exists, mkdir"]],
    );
  });

  it("writes managed settings of Claude Code only where system-wide files may be written", async () => {
    const system = join(device.fake.systemRoot, "etc/claude-code/managed-settings.d/50-gatehouse.json");
    await device.run("enforce");
    assert.ok(!existsSync(system));
    await device.run("enforce", "--system-root", device.fake.systemRoot);
    assert.deepEqual(JSON.parse(readFileSync(system, "utf8")), {
      deniedMcpServers: [{ serverUrl: "https://*.evil.example/*" }, { serverUrl: "http://*.evil.example/*" }],
    });
    device.allowAll();
    await device.run("enforce", "--system-root", device.fake.systemRoot);
    assert.ok(!existsSync(system));
  });

  it("notifies once per item", async () => {
    device.service.policy = policyWith([{ ...EVIL, action: "warn", message: "Ask security." }]);
    await device.run("enforce");
    await device.run("enforce");
    const notices = JSON.parse(readFileSync(join(device.fake.state, "notices.json"), "utf8")) as { text: string }[];
    assert.deepEqual(
      notices.map(({ text }) => text),
      ["Your organization advises against the MCP server evil (cursor). Ask security."],
    );
    assert.equal(readFileSync(device.config, "utf8"), CONFIG);
  });

  it("keeps the state readable by its owner only", async () => {
    await device.run("enforce");
    const [name = ""] = readdirSync(join(device.fake.state, "quarantine"));
    const stored = JSON.parse(readFileSync(join(device.fake.state, "quarantine", name), "utf8"));
    assert.deepEqual([stored.path, stored.pointer], [device.config, ["mcpServers", "evil"]]);
    assert.equal(stored.value.url, "https://a.evil.example/mcp?key=canary");
    assert.equal(statSync(join(device.fake.state, "quarantine", name)).mode & 0o777, 0o600);
    assert.equal(statSync(device.fake.state).mode & 0o777, 0o700);
  });
});
