import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, chownSync, mkdirSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, it } from "node:test";
import { emptyHome, type FakeHome, write } from "./fake-home.ts";
import { scanHome } from "./run-cli.ts";

let fake: FakeHome;
beforeEach(() => {
  fake = emptyHome();
  write(join(fake.home, ".kiro/settings/mcp.json"), '{"mcpServers":{"good":{"command":"npx","args":["good"]}}}');
});
afterEach(() => rmSync(fake.root, { recursive: true, force: true }));

/** The scan finds the good server and reports these errors. */
async function assertErrors(expected: readonly (readonly [path: string, code: string])[]): Promise<void> {
  const { mcp_servers, errors } = await scanHome(fake);
  assert.deepEqual(
    mcp_servers.map(({ name }) => name),
    ["good"],
  );
  assert.deepEqual(errors.map(({ path, code }) => [path, code]).sort(), [...expected].sort());
}

describe("a scan of a hostile home", () => {
  it("reports files that cannot be parsed", async () => {
    write(join(fake.home, ".cursor/mcp.json"), '{"mcpServers": {');
    write(join(fake.home, ".codex/config.toml"), "[mcp_servers\n");
    write(join(fake.home, ".config/goose/config.yaml"), "a: [1\nb: {");
    write(join(fake.home, ".gemini/settings.json"), "[".repeat(200_000));
    write(join(fake.home, ".lmstudio/mcp.json"), "\u0000\u0001binary");
    await assertErrors([
      ["~/.cursor/mcp.json", "parse_error"],
      ["~/.codex/config.toml", "parse_error"],
      ["~/.config/goose/config.yaml", "parse_error"],
      ["~/.gemini/settings.json", "parse_error"],
      ["~/.lmstudio/mcp.json", "parse_error"],
    ]);
  });

  it("expands no aliases of YAML that multiply", async () => {
    const levels = Array.from(
      { length: 30 },
      (_each, at) => `a${at}: &a${at} [${at === 0 ? "x" : `*a${at - 1}, *a${at - 1}`}]`,
    );
    write(join(fake.home, ".config/goose/config.yaml"), levels.join("\n"));
    await assertErrors([["~/.config/goose/config.yaml", "parse_error"]]);
  });

  it("reads what YAML merges, also if it is part of itself", async () => {
    const lines = [
      "%YAML 1.1",
      "---",
      "base: &base",
      "  command: npx",
      "  args: [merged]",
      "  self: *base",
      "mcpServers:",
      "  - name: one",
      "    <<: *base",
      "  - <<: [{name: two}, {<<: {url: https://two.example}}]",
      "  - <<: 5",
    ];
    write(join(fake.home, ".continue/config.yaml"), lines.join("\n"));
    write(join(fake.home, ".config/goose/config.yaml"), "extensions:\n  <<: {cmd: x}\n");
    const { mcp_servers, errors } = await scanHome(fake);
    assert.deepEqual(mcp_servers.map(({ name, args, url }) => `${name} ${url ?? args}`).sort(), [
      "#2 https://two.example",
      "<< ",
      "good good",
      "one merged",
    ]);
    assert.deepEqual(errors, []);
  });

  it("reports YAML with several documents, and reads large numbers in TOML", async () => {
    write(join(fake.home, ".continue/config.yaml"), "name: x\n---\nmcpServers: [{name: hidden, command: x}]\n");
    write(
      join(fake.home, ".codex/config.toml"),
      "id = 9007199254740993\n[mcp_servers.good]\ncommand = 'x'\nargs = [9007199254740993]\n",
    );
    const { mcp_servers, errors } = await scanHome(fake);
    assert.deepEqual(mcp_servers.map(({ name, args }) => [name, args?.at(0)]).sort(), [
      ["good", "9007199254740993"],
      ["good", "good"],
    ]);
    assert.deepEqual(errors, [{ path: "~/.continue/config.yaml", code: "parse_error" }]);
  });

  it("reports names that are no UTF-8", async () => {
    const folder = Buffer.concat([Buffer.from(join(fake.home, ".claude/skills/")), Buffer.from([0xff])]);
    mkdirSync(folder, { recursive: true });
    writeFileSync(Buffer.concat([folder, Buffer.from("/SKILL.md")]), "x");
    await assertErrors([["~/.claude/skills/\ufffd", "not_readable"]]);
  });

  it("does not read files that are too large", async () => {
    const path = write(join(fake.home, ".cursor/mcp.json"), "{}");
    truncateSync(path, 100 * 1024 * 1024);
    await assertErrors([["~/.cursor/mcp.json", "too_large"]]);
  });

  it("follows links inside the home only", async () => {
    write(join(fake.root, "outside.json"), '{"mcpServers":{"stolen":{"command":"x"}}}');
    mkdirSync(join(fake.home, ".cursor"));
    symlinkSync(join(fake.root, "outside.json"), join(fake.home, ".cursor/mcp.json"));
    symlinkSync("/etc", join(fake.home, ".claude"));
    mkdirSync(join(fake.home, ".lmstudio"));
    symlinkSync("mcp.json", join(fake.home, ".lmstudio/mcp.json"));
    mkdirSync(join(fake.home, ".factory"));
    symlinkSync("/dev/zero", join(fake.home, ".factory/mcp.json"));
    const { mcp_servers, errors } = await scanHome(fake);
    assert.deepEqual(
      mcp_servers.map(({ name }) => name),
      ["good"],
    );
    const codes = new Map(errors.map(({ path, code }) => [path, code]));
    assert.equal(codes.get("~/.cursor/mcp.json"), "outside_home");
    assert.equal(codes.get("~/.lmstudio/mcp.json"), "symlink_loop");
    assert.equal(codes.get("~/.factory/mcp.json"), "outside_home");
    write(join(fake.home, "dotfiles/mcp.json"), '{"mcpServers":{"linked":{"command":"x"}}}');
    rmSync(join(fake.home, ".cursor/mcp.json"));
    symlinkSync("../dotfiles/mcp.json", join(fake.home, ".cursor/mcp.json"));
    const again = await scanHome(fake);
    assert.deepEqual(again.mcp_servers.map(({ name }) => name).sort(), ["good", "linked"]);
  });

  it("does not wait for pipes and sockets", async () => {
    for (const folder of [".cursor", ".factory", ".lmstudio"]) mkdirSync(join(fake.home, folder));
    execFileSync("mkfifo", [join(fake.home, ".cursor/mcp.json")]);
    const server = createServer().listen(join(fake.home, ".factory/mcp.json"));
    await new Promise((resolve) => server.once("listening", resolve));
    mkdirSync(join(fake.home, ".lmstudio/mcp.json"));
    await assertErrors([
      ["~/.cursor/mcp.json", "not_a_file"],
      ["~/.factory/mcp.json", "not_a_file"],
      ["~/.lmstudio/mcp.json", "not_a_file"],
    ]);
    await new Promise((resolve) => server.close(resolve));
  });

  it("ends in folders that link to themselves and in deep folders", async () => {
    const cache = join(fake.home, ".claude/plugins/cache");
    mkdirSync(cache, { recursive: true });
    symlinkSync(cache, join(cache, "loop"));
    mkdirSync(join(cache, ...Array.from({ length: 60 }, () => "d")), { recursive: true });
    await assertErrors([]);
  });

  it("reports files that its user cannot read, also when root runs it", async () => {
    const path = write(join(fake.home, ".cursor/mcp.json"), '{"mcpServers":{"private":{"command":"x"}}}');
    chmodSync(path, 0);
    // Root scans a home with the rights of its owner, so it cannot read this either.
    if (process.geteuid?.() === 0) {
      chownSync(fake.home, 65_534, 65_534);
      chmodSync(fake.root, 0o755);
    }
    await assertErrors([["~/.cursor/mcp.json", "not_readable"]]);
  });

  it("reads the homes of all users, and reports one that cannot be read", async () => {
    const homes = join(fake.systemRoot, "home");
    write(join(homes, "alice/.cursor/mcp.json"), '{"mcpServers":{"of-alice":{"command":"x"}}}');
    write(join(homes, "bob/.cursor/mcp.json"), '{"mcpServers":{"of-bob":{"command":"x"}}}');
    write(join(homes, "carol/.cursor/mcp.json"), '{"mcpServers":{"of-carol":{"command":"x"}}}');
    chmodSync(join(homes, "bob"), 0);
    if (process.geteuid?.() === 0) {
      chownSync(join(homes, "bob"), 65_534, 65_534);
      chmodSync(fake.root, 0o755);
    }
    const { mcp_servers, errors, device } = await scanHome(fake, "--all-users", "--platform", "linux");
    assert.deepEqual(
      mcp_servers.map(({ name, username }) => [name, username]),
      [
        ["of-alice", "alice"],
        ["of-carol", "carol"],
      ],
    );
    assert.deepEqual(device.users, ["alice", "bob", "carol"]);
    assert.ok(errors.some(({ code }) => code === "not_readable"));
    chmodSync(join(homes, "bob"), 0o755);
  });

  it("reads homes that are links, each folder once, and follows no link out of them", async () => {
    const config = (name: string) => `{"mcpServers":{"${name}":{"command":"x"}}}`;
    const homes = join(fake.systemRoot, "home");
    write(join(homes, "bob/.cursor/mcp.json"), config("of-bob"));
    write(join(fake.systemRoot, "data/alice/.cursor/mcp.json"), config("of-alice"));
    write(join(fake.systemRoot, "data/secret.json"), config("secret"));
    mkdirSync(join(fake.systemRoot, "data/alice/.lmstudio"));
    symlinkSync("../../secret.json", join(fake.systemRoot, "data/alice/.lmstudio/mcp.json"));
    write(join(fake.root, "outside/.cursor/mcp.json"), config("outside"));
    for (const [name, target] of [
      ["alice", "../data/alice"],
      ["alice-again", "../data/alice"],
      ["a-bob", "bob"],
      ["homes", "."],
      ["system", ".."],
      ["missing", "../missing"],
      ["outside", "../../outside"],
    ] as const)
      symlinkSync(target, join(homes, name));
    const { mcp_servers, errors, device } = await scanHome(fake, "--all-users", "--platform", "linux");
    assert.deepEqual(device.users, ["alice", "bob"]);
    assert.deepEqual(mcp_servers.map(({ name, username }) => [name, username]).sort(), [
      ["of-alice", "alice"],
      ["of-bob", "bob"],
    ]);
    assert.deepEqual(errors.map(({ path, code }) => [path, code]).sort(), [
      [join(homes, "outside"), "outside_home"],
      ["~/.lmstudio/mcp.json", "outside_home"],
    ]);
  });

  it("treats names and paths in files as text", async () => {
    const nasty = {
      __proto__: null,
      "../../etc": { command: "a\u001b[31m" },
      "<img src=x>": { command: "b" },
      constructor: { command: "c" },
    };
    write(join(fake.home, ".cursor/mcp.json"), JSON.stringify({ mcpServers: nasty }));
    write(
      join(fake.home, ".claude.json"),
      JSON.stringify({ projects: { "../../../etc": {}, "/": {}, "": {}, [`${fake.home}/../..`]: {} } }),
    );
    write(join(fake.home, ".config/Code/User/workspaceStorage/1/workspace.json"), '{"folder":"file:///etc"}');
    writeFileSync(join(fake.home, ".vibe"), "a file instead of a folder");
    const { mcp_servers, errors } = await scanHome(fake);
    assert.deepEqual(mcp_servers.map(({ name }) => name).sort(), ["../../etc", "<img src=x>", "constructor", "good"]);
    assert.deepEqual(errors, []);
  });

  it("reads other values than the expected ones as nothing", async () => {
    write(join(fake.home, ".cursor/mcp.json"), '{"mcpServers":[1,null,"x",{"command":5},{"command":["a",{}]}]}');
    write(
      join(fake.home, ".lmstudio/mcp.json"),
      '{"mcpServers":{"a":null,"b":[],"c":{"url":{}},"d":{"command":""},"e":{"env":"x","url":"https://e.example"}}}',
    );
    write(join(fake.home, ".factory/mcp.json"), "null");
    const { mcp_servers } = await scanHome(fake);
    assert.deepEqual(mcp_servers.map(({ name }) => name).sort(), ["#5", "e", "good"]);
  });
});
