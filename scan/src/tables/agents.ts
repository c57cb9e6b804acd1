/** Table D: signs of installed agents. Versions are read from files; programs are not started. */
import { appData, type PlatformPaths } from "./roots.ts";

export interface InstallMark {
  readonly client: string;
  readonly name: string;
  readonly kind: "app" | "cli";
  readonly paths: PlatformPaths;
}

const mark = (client: string, name: string, kind: "app" | "cli", ...paths: string[]): InstallMark => ({
  client,
  name,
  kind,
  paths: { all: paths },
});

/** Folders that a client creates when it runs. */
export const INSTALL_MARKS: readonly InstallMark[] = [
  mark("cursor", "Cursor", "app", "~/.cursor"),
  mark("claude-code", "Claude Code", "cli", "~/.claude"),
  mark("codex", "Codex", "cli", "~/.codex"),
  mark("gemini-cli", "Gemini CLI", "cli", "~/.gemini"),
  mark("windsurf", "Windsurf", "app", "~/.codeium/windsurf"),
  mark("copilot-cli", "Copilot CLI", "cli", "~/.copilot"),
  mark("continue", "Continue", "app", "~/.continue"),
  mark("kiro", "Kiro", "app", "~/.kiro"),
  mark("factory-droid", "Factory Droid", "cli", "~/.factory"),
  mark("lm-studio", "LM Studio", "app", "~/.lmstudio"),
  mark("ollama", "Ollama", "cli", "~/.ollama"),
  mark("mistral-vibe", "Mistral Vibe", "cli", "~/.vibe"),
  mark("kimi", "Kimi", "cli", "~/.kimi"),
  mark("qoder", "Qoder", "app", "~/.qoder"),
  mark("junie", "Junie", "cli", "~/.junie"),
  mark("openclaw", "OpenClaw", "cli", "~/.openclaw"),
  mark("amazon-q", "Amazon Q", "cli", "~/.aws/amazonq"),
  mark("opencode", "OpenCode", "cli", "~/.config/opencode", "~/.opencode"),
  {
    client: "zed",
    name: "Zed",
    kind: "app",
    paths: { darwin: ["~/.config/zed"], linux: ["XC/zed"], win32: ["AD/Zed"] },
  },
  {
    client: "goose",
    name: "Goose",
    kind: "cli",
    paths: { darwin: ["~/.config/goose"], linux: ["XC/goose"], win32: ["AD/Block/goose"] },
  },
  {
    client: "amp",
    name: "Amp",
    kind: "cli",
    paths: { darwin: ["~/.config/amp"], linux: ["XC/amp"], win32: ["AD/amp"] },
  },
  { client: "claude-desktop", name: "Claude Desktop", kind: "app", paths: appData("Claude") },
  { client: "trae", name: "Trae", kind: "app", paths: appData("Trae") },
];

/** Programs on the search path: client by file name. */
export const PROGRAMS: Readonly<Record<string, string>> = {
  claude: "claude-code",
  codex: "codex",
  gemini: "gemini-cli",
  "cursor-agent": "cursor",
  copilot: "copilot-cli",
  goose: "goose",
  opencode: "opencode",
  amp: "amp",
  aider: "aider",
  droid: "factory-droid",
  "kiro-cli": "kiro",
  q: "amazon-q",
  ollama: "ollama",
};

/** Where programs of users are installed. */
export const PROGRAM_FOLDERS: PlatformPaths = {
  all: [
    "~/.local/bin",
    "~/bin",
    "~/.npm-global/bin",
    "~/.bun/bin",
    "~/.deno/bin",
    "~/.cargo/bin",
    "~/go/bin",
    "~/.volta/bin",
    "~/.claude/local",
    "~/.opencode/bin",
    "~/.nvm/versions/node/*/bin",
  ],
  darwin: ["SYS/usr/local/bin", "SYS/opt/homebrew/bin"],
  linux: ["SYS/usr/local/bin", "SYS/usr/bin"],
  win32: ["AD/npm"],
};

/** Apps by their name in the folders of the operating system. */
export const APPS: Readonly<Record<string, string>> = {
  Cursor: "cursor",
  Claude: "claude-desktop",
  "Visual Studio Code": "vscode",
  Windsurf: "windsurf",
  Zed: "zed",
  Kiro: "kiro",
  Trae: "trae",
  "LM Studio": "lm-studio",
  Ollama: "ollama",
  ChatGPT: "chatgpt",
  Codex: "codex",
  Antigravity: "antigravity",
  Goose: "goose",
  Jan: "jan",
  Msty: "msty",
  Qoder: "qoder",
};

export const APP_FOLDERS: PlatformPaths = {
  darwin: ["SYS/Applications", "~/Applications"],
  linux: ["SYS/usr/share/applications", "~/.local/share/applications"],
  win32: ["LD/Programs"],
};

export const EXTENSION_FOLDERS: readonly (readonly [client: string, folder: string])[] = [
  // The folders of the editor, its builds from other vendors, and its servers. The last entry of a path counts.
  ["vscode", "~/.vscode*/extensions"],
  ["vscode-insiders", "~/.vscode-insiders/extensions"],
  ["vscode-insiders", "~/.vscode-server-insiders/extensions"],
  ["cursor", "~/.cursor/extensions"],
  ["windsurf", "~/.windsurf/extensions"],
];

/** Extensions that are AI agents, as publisher.name in lower case. */
export const AI_EXTENSIONS: ReadonlySet<string> = new Set([
  "github.copilot",
  "github.copilot-chat",
  "anthropic.claude-code",
  "openai.chatgpt",
  "google.geminicodeassist",
  "saoudrizwan.claude-dev",
  "rooveterinaryinc.roo-cline",
  "kilocode.kilo-code",
  "continue.continue",
  "codeium.codeium",
  "sourcegraph.cody-ai",
  "sourcegraph.amp",
  "tabnine.tabnine-vscode",
  "amazonwebservices.amazon-q-vscode",
  "augment.vscode-augment",
  "supermaven.supermaven",
  "sst-dev.opencode",
  "blackboxapp.blackbox",
]);

export const SUBAGENTS: readonly (readonly [client: string, files: string])[] = [
  ["claude-code", "~/.claude/agents/*.md"],
  ["cursor", "~/.cursor/agents/*.md"],
  ["codex", "~/.codex/agents/*"],
  ["kiro", "~/.kiro/agents/*.json"],
];

export const PROJECT_SUBAGENTS: readonly (readonly [client: string, files: string])[] = [
  ["claude-code", ".claude/agents/*.md"],
  ["cursor", ".cursor/agents/*.md"],
];
