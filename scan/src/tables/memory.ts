/** Table C: files that agents read as instructions. */
import type { MemoryKind, ServerScope } from "#policy/types";
import type { PlatformPaths } from "./roots.ts";

export interface MemoryEntry {
  readonly client: string;
  readonly kind: MemoryKind;
  readonly scope: ServerScope;
  readonly paths: PlatformPaths;
}

const user = (client: string, kind: MemoryKind, ...paths: string[]): MemoryEntry => ({
  client,
  kind,
  scope: "user",
  paths: { all: paths },
});

export const MEMORY_FILES: readonly MemoryEntry[] = [
  user("claude-code", "instructions", "~/.claude/CLAUDE.md"),
  user("claude-code", "rules", "~/.claude/rules/*.md"),
  user("claude-code", "auto_memory", "~/.claude/projects/*/memory/*.md"),
  {
    client: "claude-code",
    kind: "instructions",
    scope: "managed",
    paths: {
      darwin: ["SYS/Library/Application Support/ClaudeCode/CLAUDE.md"],
      linux: ["SYS/etc/claude-code/CLAUDE.md"],
      win32: ["PF/ClaudeCode/CLAUDE.md"],
    },
  },
  user("codex", "instructions", "~/.codex/AGENTS.md"),
  user("opencode", "instructions", "~/.config/opencode/AGENTS.md"),
  user("gemini-cli", "instructions", "~/.gemini/GEMINI.md"),
  user("windsurf", "rules", "~/.codeium/windsurf/memories/global_rules.md"),
  user("goose", "instructions", "~/.config/goose/.goosehints"),
];

/** Below each project folder. */
export const PROJECT_MEMORY: readonly (readonly [client: string, kind: MemoryKind, file: string])[] = [
  ["claude-code", "instructions", "CLAUDE.md"],
  ["claude-code", "instructions", ".claude/CLAUDE.md"],
  ["claude-code", "instructions", "CLAUDE.local.md"],
  ["claude-code", "rules", ".claude/rules/*.md"],
  ["agents", "instructions", "AGENTS.md"],
  ["gemini-cli", "instructions", "GEMINI.md"],
  ["cursor", "rules", ".cursorrules"],
  ["cursor", "rules", ".cursor/rules/*.mdc"],
  ["windsurf", "rules", ".windsurfrules"],
  ["windsurf", "rules", ".windsurf/rules/*.md"],
  ["copilot-cli", "instructions", ".github/copilot-instructions.md"],
  ["copilot-cli", "instructions", ".github/instructions/*.instructions.md"],
  ["cline", "rules", ".clinerules"],
  ["cline", "rules", ".clinerules/*.md"],
  ["roo-code", "rules", ".roo/rules/*.md"],
  ["kiro", "rules", ".kiro/steering/*.md"],
  ["goose", "instructions", ".goosehints"],
  ["junie", "instructions", ".junie/guidelines.md"],
  ["aider", "instructions", "CONVENTIONS.md"],
  ["aider", "instructions", ".aider.conf.yml"],
];
