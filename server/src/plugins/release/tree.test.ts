import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { describe, it } from "node:test";
import { parse } from "yaml";
import type { PluginDefinition } from "#storage/plugin-tables";
import type { ReleaseContent } from "./content.ts";
import { filesForTarget, type ReleaseTree, releaseTree } from "./tree.ts";

const DEFINITION: PluginDefinition = {
  ...{ author: null, category: "Work", keywords: ["notes"], homepage: "https://example.com/docs", license: "MIT" },
  ...{ skills: ["notes"], commands: [], agents: [], hooks: null, targets: ["claude", "cursor", "codex"] },
  mcp: { include_gateway: true, server_name: "gateway", toolkit: "triage", servers: ["linear"] },
};
const SKILL = {
  slug: "notes",
  files: [
    { path: "SKILL.md", digest: "a".repeat(64), size: 10, executable: false, is_text: true },
    { path: "scripts/run.sh", digest: "b".repeat(64), size: 20, executable: true, is_text: true },
  ],
};

function tree(changes: Partial<PluginDefinition> = {}, content: Partial<ReleaseContent> = {}): ReleaseTree {
  const definition = { ...DEFINITION, ...changes };
  const plugin = { slug: "engineering", name: "Engineering", description: "For engineers", definition };
  const settings = { version: "1.2.0", orgName: "Acme", gatewayUrl: "https://gateway.example.com" };
  return releaseTree({ plugin, ...settings, skills: [SKILL], commands: [], ...content });
}

const textOf = ({ files }: ReleaseTree, path: string) =>
  files.find((file) => file.path === path)?.content?.toString("utf8");
const jsonOf = (release: ReleaseTree, path: string): unknown => JSON.parse(textOf(release, path) ?? "null");
const pathsOf = ({ files }: Pick<ReleaseTree, "files">) => files.map(({ path }) => path);

describe("the files of a release", () => {
  it("are manifests for each client, the components and a README", () => {
    const agents = [
      { name: "reviewer", description: 'Says "no": often', content: "Review.\n", tools: ["Read", "Grep"] },
    ];
    const hooks = { Stop: [{ hooks: [{ type: "command" as const, command: "echo done" }] }] };
    const release = tree({ agents, hooks });
    assert.deepEqual(pathsOf(release), [
      ...[".claude-plugin/plugin.json", ".codex-plugin/mcp.json", ".codex-plugin/plugin.json"],
      ...[".cursor-plugin/mcp.json", ".cursor-plugin/plugin.json", ".mcp.json", "README.md", "agents/reviewer.md"],
      ...["hooks/hooks.json", "skills/notes/SKILL.md", "skills/notes/scripts/run.sh"],
    ]);
    assert.deepEqual(jsonOf(release, "hooks/hooks.json"), { hooks });
    const [, frontMatter, content] = (textOf(release, "agents/reviewer.md") ?? "").split(/^---$/m);
    const fields = { name: "reviewer", description: 'Says "no": often', tools: "Read, Grep" };
    assert.deepEqual([parse(frontMatter ?? ""), content], [fields, "\n\nReview.\n"]);
    assert.equal(release.files.find(({ path }) => path.endsWith("run.sh"))?.executable, true);
  });

  /** https://code.claude.com/docs/en/plugins-reference: a kebab-case name, and only fields that Claude Code knows. */
  it("describe the plugin as each client expects it, and contain no credential", () => {
    const release = tree();
    const common = {
      ...{ name: "engineering", version: "1.2.0", description: "For engineers", author: { name: "Acme" } },
      ...{ homepage: "https://example.com/docs", license: "MIT", keywords: ["notes"] },
    };
    const option = {
      ...{ type: "string", title: "Gateway credential", description: "ACCESS_KEY:SECRET" },
      ...{ sensitive: true, required: true },
    };
    assert.deepEqual(jsonOf(release, ".claude-plugin/plugin.json"), {
      ...common,
      userConfig: { gateway_credential: option },
    });
    assert.deepEqual(jsonOf(release, ".cursor-plugin/plugin.json"), {
      ...common,
      mcpServers: "./.cursor-plugin/mcp.json",
    });
    assert.deepEqual(jsonOf(release, ".codex-plugin/plugin.json"), {
      ...common,
      skills: "./skills/",
      mcpServers: "./.codex-plugin/mcp.json",
    });
    const urls = {
      gateway: "https://gateway.example.com/mcp?toolkit=triage",
      linear: "https://gateway.example.com/mcp/linear",
    };
    const servers = (rest: object) =>
      Object.fromEntries(Object.entries(urls).map(([name, url]) => [name, { type: "http", url, ...rest }]));
    const header = (value: string) => ({ headers: { Authorization: `Bearer ${value}` } });
    const configurations: [string, object][] = [
      [".mcp.json", header(`\${user_config.gateway_credential}`)],
      [".cursor-plugin/mcp.json", header(`\${env:GATEHOUSE_ACCESS_KEY}`)],
      [".codex-plugin/mcp.json", { bearer_token_env_var: "GATEHOUSE_ACCESS_KEY" }],
    ];
    for (const [path, rest] of configurations) assert.deepEqual(jsonOf(release, path), { mcpServers: servers(rest) });
  });

  it("have no MCP configuration and ask for no credential if the plugin has no servers", () => {
    const mcp = { ...DEFINITION.mcp, include_gateway: false, servers: [] };
    const release = tree({ mcp });
    assert.deepEqual(
      pathsOf(release).filter((path) => path.includes("mcp")),
      [],
    );
    assert.equal(textOf(release, ".claude-plugin/plugin.json")?.includes("userConfig"), false);
    assert.equal(textOf(release, "README.md")?.includes("access key"), false);
  });

  it("have manifests only for the targets, and can be reduced to one client", () => {
    assert.deepEqual(
      pathsOf(tree({ targets: ["cursor"] })).filter((path) => path.startsWith(".")),
      [".cursor-plugin/mcp.json", ".cursor-plugin/plugin.json"],
    );
    const { files } = tree();
    assert.deepEqual(pathsOf({ files: filesForTarget(files, "codex") }), [
      ...[".codex-plugin/mcp.json", ".codex-plugin/plugin.json", "README.md"],
      ...["skills/notes/SKILL.md", "skills/notes/scripts/run.sh"],
    ]);
  });

  it("have one digest, which changes with every path, mode, content and version", () => {
    const { files, digest, size } = tree();
    for (const file of files)
      if (file.content) assert.equal(file.digest, createHash("sha256").update(file.content).digest("hex"));
    assert.equal(
      size,
      files.reduce((sum, file) => sum + file.size, 0),
    );
    assert.equal(tree().digest, digest);
    const [skillMd, script] = SKILL.files;
    assert.ok(skillMd && script);
    const others = [
      tree({ category: null, keywords: ["other"] }),
      tree({}, { version: "1.2.1" }),
      tree({}, { gatewayUrl: "https://other.example.com" }),
      tree({}, { skills: [{ ...SKILL, files: [skillMd, { ...script, executable: false }] }] }),
      tree({}, { skills: [{ ...SKILL, files: [skillMd, { ...script, digest: "c".repeat(64) }] }] }),
      tree({}, { skills: [{ ...SKILL, files: [skillMd, { ...script, path: "run.sh" }] }] }),
    ].map((other) => other.digest);
    assert.equal(new Set([digest, ...others]).size, others.length + 1);
  });
});
