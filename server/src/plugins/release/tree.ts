/** The files of a release, from the plugin's definition. A release contains no secret: clients ask users for theirs. */
import { createHash } from "node:crypto";
import type { PluginAgent, PluginManifest, PluginTarget } from "#storage/plugin-tables";
import { commandFiles } from "./command-files.ts";
import { jsonText, type ReleaseContent, type StoredFile } from "./content.ts";
import { type McpServers, manifestFiles, mcpFiles } from "./manifests.ts";
import { readme } from "./readme.ts";

export interface ReleaseFile extends StoredFile {
  /** Undefined for a file whose content is stored already. */
  readonly content?: Buffer;
}

export interface ReleaseTree {
  readonly manifest: PluginManifest;
  /** Sorted by path. */
  readonly files: readonly ReleaseFile[];
  /** Of paths, modes and contents. */
  readonly digest: string;
  readonly size: number;
}

export function releaseTree(content: ReleaseContent): ReleaseTree {
  const { plugin, version, skills, commands } = content;
  const { agents, hooks, targets } = plugin.definition;
  const manifest = manifestOf(content);
  const servers = mcpServersOf(content);
  const texts: [string, string][] = [
    ...manifestFiles({
      slug: plugin.slug,
      version,
      manifest,
      hasMcp: servers.length > 0,
      hasSkills: skills.length > 0,
      hasCommands: commands.length > 0,
    }),
    ...mcpFiles(servers, targets),
    ...commandFiles(commands, targets),
    ...agents.map((agent): [string, string] => [`agents/${agent.name}.md`, agentFile(agent)]),
    ...(hooks ? [["hooks/hooks.json", jsonText({ hooks })] as [string, string]] : []),
    ["README.md", readme({ ...content, manifest, servers })],
  ];
  const files = [
    ...texts.map(([path, text]) => generatedFile(path, text)),
    ...skills.flatMap(({ slug, files: own }) => own.map((file) => storedFile(`skills/${slug}/${file.path}`, file))),
  ].sort((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  return { manifest, files, digest: treeDigest(files), size: files.reduce((sum, file) => sum + file.size, 0) };
}

function manifestOf({ plugin: { name, description, definition }, orgName }: ReleaseContent): PluginManifest {
  const { author, category, keywords, homepage, license, mcp, targets } = definition;
  return {
    ...{ name, description, author: author ?? { name: orgName }, category, keywords, homepage, license },
    ...{ toolkit: mcp.include_gateway ? mcp.toolkit : null, targets },
  };
}

function mcpServersOf({ plugin, gatewayUrl }: ReleaseContent): McpServers {
  const { include_gateway: hasGateway, server_name: name, toolkit, servers } = plugin.definition.mcp;
  const query = toolkit === null ? "" : `?toolkit=${toolkit}`;
  return [
    ...(hasGateway ? [{ name, url: `${gatewayUrl}/mcp${query}` }] : []),
    ...servers.map((slug) => ({ name: slug, url: `${gatewayUrl}/mcp/${slug}` })),
  ];
}

/** Texts of JSON are also texts of YAML, so nothing in them can end a value. */
function agentFile({ name, description, content, model, tools }: PluginAgent): string {
  const lines = [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(description)}`,
    ...(tools && tools.length > 0 ? [`tools: ${JSON.stringify(tools.join(", "))}`] : []),
    ...(model === undefined ? [] : [`model: ${JSON.stringify(model)}`]),
    "---",
    "",
    content.trim(),
    "",
  ];
  return lines.join("\n");
}

export function generatedFile(path: string, text: string): ReleaseFile & { readonly content: Buffer } {
  const content = Buffer.from(text, "utf8");
  const digest = createHash("sha256").update(content).digest("hex");
  return { path, digest, size: content.length, executable: false, is_text: true, content };
}

function storedFile(path: string, { digest, size, executable, is_text }: StoredFile): ReleaseFile {
  return { path, digest, size, executable, is_text };
}

function treeDigest(files: readonly ReleaseFile[]): string {
  const lines = files.map(({ path, executable, digest }) => `${path}\0${executable ? "x" : "-"}\0sha256:${digest}\n`);
  return `sha256:${createHash("sha256").update(lines.join("")).digest("hex")}`;
}

const FOLDERS: readonly (readonly [PluginTarget, string])[] = [
  ["claude", ".claude-plugin/"],
  ["claude", "commands/"],
  ["cursor", ".cursor-plugin/"],
  ["codex", ".codex-plugin/"],
];
/** Files that only one client reads. */
const OWN_FILES: Readonly<Partial<Record<string, PluginTarget>>> = {
  ".mcp.json": "claude",
  "hooks/hooks.json": "claude",
};

/** The files of a release that this client needs. */
export function filesForTarget<File extends { readonly path: string }>(
  files: readonly File[],
  target: PluginTarget,
): File[] {
  return files.filter(({ path }) => {
    const owner = OWN_FILES[path] ?? FOLDERS.find(([, folder]) => path.startsWith(folder))?.[0];
    return owner === undefined || owner === target;
  });
}
