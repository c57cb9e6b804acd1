import { definitionOf } from "#records/commands";
import type { PluginManifest } from "#storage/plugin-tables";
import type { ReleaseContent } from "./content.ts";
import { CREDENTIAL_VARIABLE, type McpServers } from "./manifests.ts";

interface ReadmeInput extends ReleaseContent {
  readonly manifest: PluginManifest;
  readonly servers: McpServers;
}

/** README.md of a release. */
export function readme({ plugin, version, skills, commands, manifest, servers }: ReadmeInput): string {
  const { agents, hooks } = plugin.definition;
  const parts = [
    `# ${oneLine(plugin.name)}`,
    `Version ${version}, by ${oneLine(manifest.author.name)}.`,
    plugin.description,
    section(
      "Skills",
      skills.map(({ slug }) => slug),
    ),
    section(
      "Commands",
      commands.map((command) => `/${command.slug}: ${oneLine(definitionOf(command).description)}`),
    ),
    section(
      "Agents",
      agents.map(({ name }) => name),
    ),
    section("Hooks", Object.keys(hooks ?? {})),
    section(
      "MCP servers",
      servers.map(({ name, url }) => `${name}: ${url}`),
    ),
    servers.length === 0
      ? ""
      : `The MCP servers need your access key. Claude Code asks for it. Cursor and Codex read it from the environment variable \`${CREDENTIAL_VARIABLE}\`.`,
  ];
  return `${parts.filter((part) => part.trim() !== "").join("\n\n")}\n`;
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? "" : `## ${title}\n\n${items.map((item) => `- ${item}`).join("\n")}`;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
