/** Manifests and MCP configurations of the clients that plugins are made for. */
import type { PluginManifest, PluginTarget } from "#storage/plugin-tables";
import { jsonText } from "./content.ts";

export type McpServers = readonly { readonly name: string; readonly url: string }[];

/** What Cursor and Codex read the credential from. Claude Code asks for it and keeps it in the keychain. */
export const CREDENTIAL_VARIABLE = "GATEHOUSE_ACCESS_KEY";
const CREDENTIAL_OPTION = "gateway_credential";

interface ManifestInput {
  readonly slug: string;
  readonly version: string;
  readonly manifest: PluginManifest;
  readonly hasMcp: boolean;
  readonly hasSkills: boolean;
  readonly hasCommands: boolean;
}

/** Claude Code reads the commands from `commands/`, which has them with the placeholders that it knows. */
export const CURSOR_COMMANDS = ".cursor-plugin/commands/";

/** Paths and texts. */
export function manifestFiles({ slug, version, manifest, ...has }: ManifestInput): [string, string][] {
  const { hasMcp, hasSkills, hasCommands } = has;
  const { description, author, keywords, homepage, license, targets } = manifest;
  const common = {
    ...{ name: slug, version },
    ...(description !== "" && { description }),
    author,
    ...(homepage !== null && { homepage }),
    ...(license !== null && { license }),
    ...(keywords.length > 0 && { keywords }),
  };
  const option = {
    ...{ type: "string", title: "Gateway credential", description: "ACCESS_KEY:SECRET" },
    ...{ sensitive: true, required: true },
  };
  const manifests: Record<PluginTarget, object> = {
    claude: { ...common, ...(hasMcp && { userConfig: { [CREDENTIAL_OPTION]: option } }) },
    cursor: {
      ...common,
      ...(hasCommands && { commands: `./${CURSOR_COMMANDS}` }),
      ...(hasMcp && { mcpServers: "./.cursor-plugin/mcp.json" }),
    },
    codex: {
      ...common,
      ...(hasSkills && { skills: "./skills/" }),
      ...(hasMcp && { mcpServers: "./.codex-plugin/mcp.json" }),
    },
  };
  return targets.map((target) => [`.${target}-plugin/plugin.json`, jsonText(manifests[target])]);
}

/** Each client names the user's credential differently. */
export function mcpFiles(servers: McpServers, targets: readonly PluginTarget[]): [string, string][] {
  if (servers.length === 0) return [];
  const configuration = (entry: (url: string) => object) =>
    jsonText({ mcpServers: Object.fromEntries(servers.map(({ name, url }) => [name, entry(url)])) });
  const withHeader = (value: string) => (url: string) => ({ type: "http", url, headers: { Authorization: value } });
  const files: Record<PluginTarget, [string, string]> = {
    claude: [".mcp.json", configuration(withHeader(`Bearer \${user_config.${CREDENTIAL_OPTION}}`))],
    cursor: [".cursor-plugin/mcp.json", configuration(withHeader(`Bearer \${env:${CREDENTIAL_VARIABLE}}`))],
    codex: [
      ".codex-plugin/mcp.json",
      configuration((url) => ({ type: "http", url, bearer_token_env_var: CREDENTIAL_VARIABLE })),
    ],
  };
  return targets.map((target) => files[target]);
}
