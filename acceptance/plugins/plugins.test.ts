import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, it } from "node:test";
import { promisify } from "node:util";
import type { MachineUser } from "../kit/api.ts";
import { forEachTarget } from "../kit/suite.ts";

forEachTarget("Plugins", (api) => {
  let member: MachineUser;
  let stranger: MachineUser;
  let group: string;
  before(async () => {
    member = await api.machineUser();
    stranger = await api.machineUser();
    group = await api.group({ emails: [member.email] });
  });

  const create = async () => {
    const skill = api.unique("skill");
    await api.body(201, "POST", "/api/skills", { name: skill, description: "Notes.", content: "# First\n" });
    const slug = api.unique("plugin");
    await api.body(201, "POST", "/api/plugins", { name: "Team tools", slug, skills: [skill], groups: [group] });
    return { slug, skill };
  };

  it("are published into releases that never change, and report what changed [S2.9-plugins]", async () => {
    const { slug, skill } = await create();
    const first = await api.body(201, "POST", `/api/plugins/${slug}/publish`, {});
    assert.equal(first.data.version, "1.0.0");
    await api.body(409, "POST", `/api/plugins/${slug}/publish`, {});
    const before = await api.call("GET", `/api/plugins/${slug}/download?version=1.0.0`);
    await api.body(200, "PATCH", `/api/skills?slug=${skill}`, { content: "# Second\n" });
    const { data: plugin } = await api.body(200, "GET", `/api/plugins/${slug}`);
    assert.deepEqual([plugin.status, plugin.has_unpublished_changes], ["active", true]);
    const { data: changes } = await api.body(200, "GET", `/api/plugins/${slug}/changes`);
    assert.deepEqual(changes, { since: "1.0.0", files: [{ path: `skills/${skill}/SKILL.md`, change: "changed" }] });
    const low = await api.body(400, "POST", `/api/plugins/${slug}/publish`, { version: "1.0.0" });
    assert.equal(low.message, "version: must be greater than 1.0.0");
    const second = await api.body(201, "POST", `/api/plugins/${slug}/publish`, { bump: "minor", notes: "Second" });
    assert.equal(second.data.version, "1.1.0");
    const { data: releases } = await api.body(200, "GET", `/api/plugins/${slug}/releases`);
    assert.deepEqual(
      releases.map((release: { version: string; latest: boolean }) => [release.version, release.latest]),
      [
        ["1.1.0", true],
        ["1.0.0", false],
      ],
    );
    const after = await api.call("GET", `/api/plugins/${slug}/download?version=1.0.0`);
    assert.equal(after.text, before.text);
  });

  it("reach the members of their groups by git, with the bytes of the release [S2.9-plugins]", async () => {
    const { slug, skill } = await create();
    await api.body(201, "POST", `/api/plugins/${slug}/publish`, {});
    const folder = await mkdtemp(join(tmpdir(), "gatehouse-acceptance-"));
    const git = async (...args: string[]) => {
      const env = { PATH: process.env.PATH, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", GIT_TERMINAL_PROMPT: "0" };
      return (await promisify(execFile)("git", args, { cwd: folder, env })).stdout.trim();
    };
    const urlOf = ({ credential }: MachineUser, name: string) =>
      `${api.target.gatewayUrl.replace("://", `://${credential}@`)}/plugins/${name}.git`;
    try {
      await git("clone", "--quiet", urlOf(member, slug), "plugin");
      await git("clone", "--quiet", "--depth", "1", urlOf(member, "marketplace"), "marketplace");
      const read = (path: string) => readFile(join(folder, path), "utf8");
      assert.match(await read(`plugin/skills/${skill}/SKILL.md`), /# First\n$/);
      const manifest = JSON.parse(await read("plugin/.claude-plugin/plugin.json"));
      assert.deepEqual([manifest.name, manifest.version], [slug, "1.0.0"]);
      const listed = JSON.parse(await read("marketplace/.claude-plugin/marketplace.json"));
      const entry = listed.plugins.find(({ name }: { name: string }) => name === slug);
      assert.deepEqual([entry.version, entry.source], ["1.0.0", `./plugins/${slug}`]);
      await api.body(200, "PATCH", `/api/skills?slug=${skill}`, { content: "# Second\n" });
      await api.body(201, "POST", `/api/plugins/${slug}/publish`, {});
      for (const [clone, path] of [
        ["plugin", ""],
        ["marketplace", `plugins/${slug}/`],
      ]) {
        await git("-C", clone ?? "", "pull", "--quiet", "--ff-only");
        assert.match(await read(`${clone}/${path}skills/${skill}/SKILL.md`), /# Second\n$/);
      }
      await assert.rejects(git("clone", urlOf(stranger, slug), "stranger"), /not found/);
      await assert.rejects(git("-C", "plugin", "push", "origin", "HEAD:refs/heads/other"), /403/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
