/** Table A: where MCP clients keep their servers. */
import type { ServerScope } from "#policy/types";
import { appData, type PlatformPaths } from "./roots.ts";

export type ConfigFormat = "json" | "toml" | "yaml";

export interface ConfigEntry {
  readonly client: string;
  readonly scope: ServerScope;
  readonly format: ConfigFormat;
  readonly paths: PlatformPaths;
  /** Where servers are in the file; `*` is any key. The first that exists is used. `[]` is the entire file. */
  readonly keys: readonly (readonly string[])[];
  /** Whether the value at the key is one server, named by the file's `name`. */
  readonly single?: boolean;
}

export interface ProjectConfigEntry extends Omit<ConfigEntry, "paths" | "scope"> {
  readonly files: readonly string[];
}

const MCP_SERVERS = [["mcpServers"]] as const;
const all = (...paths: string[]): PlatformPaths => ({ all: paths });

function json(
  client: string,
  paths: PlatformPaths,
  keys: ConfigEntry["keys"] = MCP_SERVERS,
  scope: ServerScope = "user",
): ConfigEntry {
  return { client, scope, format: "json", paths, keys };
}

function extensionStorage(path: string): PlatformPaths {
  const folders = ["Code", "Code - Insiders", "Cursor", "Windsurf"].map((app) =>
    appData(`${app}/User/globalStorage/${path}`),
  );
  const join = (platform: "darwin" | "linux" | "win32") => folders.flatMap((each) => each[platform] ?? []);
  return { darwin: join("darwin"), linux: join("linux"), win32: join("win32") };
}

export const CONFIGS: readonly ConfigEntry[] = [
  json("claude-desktop", appData("Claude/claude_desktop_config.json")),
  {
    ...json(
      "claude-desktop",
      appData("Claude/Claude Extensions/*/manifest.json"),
      [["server", "mcp_config"]],
      "extension",
    ),
    single: true,
  },
  json("claude-code", all("~/.claude.json")),
  json("claude-code", all("~/.claude.json"), [["projects", "*", "mcpServers"]], "project"),
  json("claude-code", all("~/.claude/plugins/cache/**/.mcp.json"), [["mcpServers"], []], "plugin"),
  json(
    "claude-code",
    {
      darwin: ["SYS/Library/Application Support/ClaudeCode/managed-mcp.json"],
      linux: ["SYS/etc/claude-code/managed-mcp.json"],
      win32: ["PF/ClaudeCode/managed-mcp.json"],
    },
    MCP_SERVERS,
    "managed",
  ),
  json("cursor", all("~/.cursor/mcp.json")),
  json(
    "cursor",
    all(
      "~/.cursor/plugins/cache/**/.mcp.json",
      "~/.cursor/plugins/cache/**/mcp.json",
      "~/.cursor/plugins/local/**/.mcp.json",
      "~/.cursor/plugins/local/**/mcp.json",
    ),
    [["mcpServers"], []],
    "plugin",
  ),
  json("vscode", appData("Code/User/mcp.json"), [["servers"]]),
  json("vscode", appData("Code/User/profiles/*/mcp.json"), [["servers"]]),
  json("vscode", appData("Code/User/settings.json"), [["mcp", "servers"], ["mcp.servers"]]),
  json("vscode", all("~/.vscode-server/data/User/mcp.json"), [["servers"]]),
  json("vscode-insiders", appData("Code - Insiders/User/mcp.json"), [["servers"]]),
  json("vscode-insiders", appData("Code - Insiders/User/profiles/*/mcp.json"), [["servers"]]),
  json("vscode-insiders", appData("Code - Insiders/User/settings.json"), [["mcp", "servers"], ["mcp.servers"]]),
  json("copilot-cli", all("~/.copilot/mcp-config.json")),
  json("windsurf", all("~/.codeium/windsurf/mcp_config.json", "~/.codeium/mcp_config.json")),
  json(
    "zed",
    { darwin: ["~/.config/zed/settings.json"], linux: ["XC/zed/settings.json"], win32: ["AD/Zed/settings.json"] },
    [["context_servers"]],
  ),
  json("gemini-cli", all("~/.gemini/settings.json")),
  json("gemini-cli", all("~/.gemini/extensions/*/gemini-extension.json"), MCP_SERVERS, "extension"),
  json("antigravity", all("~/.gemini/antigravity/mcp_config.json", "~/.gemini/config/mcp_config.json")),
  { client: "codex", scope: "user", format: "toml", paths: all("~/.codex/config.toml"), keys: [["mcp_servers"]] },
  {
    client: "codex",
    scope: "managed",
    format: "toml",
    paths: {
      darwin: ["SYS/etc/codex/config.toml"],
      linux: ["SYS/etc/codex/config.toml"],
      win32: ["PD/OpenAI/Codex/config.toml"],
    },
    keys: [["mcp_servers"]],
  },
  json("codex", all("~/.codex/plugins/**/.mcp.json"), [["mcpServers"], ["mcp_servers"], []], "plugin"),
  {
    client: "goose",
    scope: "user",
    format: "yaml",
    paths: {
      darwin: ["~/.config/goose/config.yaml"],
      linux: ["XC/goose/config.yaml"],
      win32: ["AD/Block/goose/config/config.yaml"],
    },
    keys: [["extensions"]],
  },
  json("cline", extensionStorage("saoudrizwan.claude-dev/settings/cline_mcp_settings.json")),
  json("roo-code", extensionStorage("rooveterinaryinc.roo-cline/settings/mcp_settings.json")),
  {
    client: "continue",
    scope: "user",
    format: "yaml",
    paths: all("~/.continue/config.yaml", "~/.continue/mcpServers/*.yaml", "~/.continue/mcpServers/*.yml"),
    keys: MCP_SERVERS,
  },
  json(
    "opencode",
    {
      all: ["~/.opencode/opencode.json", "~/.opencode/opencode.jsonc"],
      darwin: ["~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc"],
      linux: ["XC/opencode/opencode.json", "XC/opencode/opencode.jsonc"],
      win32: ["~/.config/opencode/opencode.json", "~/.config/opencode/opencode.jsonc"],
    },
    [["mcp"]],
  ),
  json(
    "opencode",
    {
      darwin: ["SYS/Library/Application Support/opencode/opencode.json"],
      linux: ["SYS/etc/opencode/opencode.json"],
      win32: ["PD/opencode/opencode.json"],
    },
    [["mcp"]],
    "managed",
  ),
  json("kiro", all("~/.kiro/settings/mcp.json")),
  json(
    "amp",
    { darwin: ["~/.config/amp/settings.json"], linux: ["XC/amp/settings.json"], win32: ["AD/amp/settings.json"] },
    [["amp.mcpServers"], ["amp", "mcpServers"]],
  ),
  json(
    "amazon-q",
    all(
      "~/.aws/amazonq/mcp.json",
      "~/.aws/amazonq/default.json",
      "~/.aws/amazonq/agents/default.json",
      "~/.aws/amazonq/agents/mcp.json",
    ),
  ),
  json("junie", all("~/.junie/mcp/mcp.json")),
  json("lm-studio", all("~/.lmstudio/mcp.json")),
  json("trae", appData("Trae/User/mcp.json")),
  json("factory-droid", all("~/.factory/mcp.json")),
  { client: "mistral-vibe", scope: "user", format: "toml", paths: all("~/.vibe/config.toml"), keys: [["mcp_servers"]] },
  json("kimi", all("~/.kimi/mcp.json")),
  json("qoder", { all: ["~/.qoder/mcp.json"], win32: ["AD/Qoder/SharedClientCache/mcp.json"] }),
  json("visual-studio", { win32: ["~/.mcp.json"] }, [["servers"]]),
];

function project(
  client: string,
  files: readonly string[],
  keys: ConfigEntry["keys"] = MCP_SERVERS,
): ProjectConfigEntry {
  return { client, format: "json", files, keys };
}

/** Below each project folder. */
export const PROJECT_CONFIGS: readonly ProjectConfigEntry[] = [
  project("claude-code", [".mcp.json"]),
  project("cursor", [".cursor/mcp.json"]),
  project("vscode", [".vscode/mcp.json"], [["servers"]]),
  project("windsurf", [".windsurf/mcp.json"]),
  project("zed", [".zed/settings.json"], [["context_servers"]]),
  project("gemini-cli", [".gemini/settings.json"]),
  { ...project("codex", [".codex/config.toml"], [["mcp_servers"]]), format: "toml" },
  project("roo-code", [".roo/mcp.json"]),
  project("opencode", ["opencode.json", "opencode.jsonc"], [["mcp"]]),
  project("kiro", [".kiro/settings/mcp.json"]),
  project("amazon-q", [".amazonq/mcp.json"]),
  project("junie", [".junie/mcp/mcp.json"]),
  project("visual-studio", [".mcp.json", ".vs/mcp.json"], [["servers"]]),
];
