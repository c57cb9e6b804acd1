/** Table B: folders whose subfolders with a SKILL.md are skills. */
import type { SkillSource } from "#policy/types";
import type { PlatformPaths } from "./roots.ts";

export interface SkillEntry {
  readonly client: string;
  readonly source: SkillSource;
  readonly paths: PlatformPaths;
}

const user = (client: string, ...paths: string[]): SkillEntry => ({ client, source: "user", paths: { all: paths } });

export const SKILL_FOLDERS: readonly SkillEntry[] = [
  user("claude-code", "~/.claude/skills"),
  user("agents", "~/.agents/skills"),
  user("cursor", "~/.cursor/skills"),
  { client: "cursor", source: "builtin", paths: { all: ["~/.cursor/skills-cursor"] } },
  user("codex", "~/.codex/skills"),
  { client: "codex", source: "builtin", paths: { all: ["~/.codex/skills/.system"] } },
  user("copilot-cli", "~/.copilot/skills"),
  user("gemini-cli", "~/.gemini/skills"),
  user("antigravity", "~/.gemini/antigravity/skills"),
  user("windsurf", "~/.codeium/windsurf/skills"),
  user("cline", "~/.cline/skills"),
  user("roo-code", "~/.roo/skills"),
  user("kiro", "~/.kiro/skills"),
  user("opencode", "~/.config/opencode/skills", "~/.config/opencode/skill"),
  user("amp", "~/.config/agents/skills"),
  user("openclaw", "~/.openclaw/skills"),
  user("factory-droid", "~/.factory/skills"),
  user("mistral-vibe", "~/.vibe/skills"),
  user("kimi", "~/.kimi/skills"),
  user("qoder", "~/.qoder/skills"),
  { client: "claude-code", source: "plugin", paths: { all: ["~/.claude/plugins/cache/**/skills"] } },
  { client: "cursor", source: "plugin", paths: { all: ["~/.cursor/plugins/**/skills"] } },
  { client: "codex", source: "plugin", paths: { all: ["~/.codex/plugins/**/skills"] } },
  { client: "codex", source: "managed", paths: { darwin: ["SYS/etc/codex/skills"], linux: ["SYS/etc/codex/skills"] } },
  {
    client: "windsurf",
    source: "managed",
    paths: {
      darwin: ["SYS/Library/Application Support/Windsurf/skills"],
      linux: ["SYS/etc/windsurf/skills"],
      win32: ["PD/Windsurf/skills"],
    },
  },
];

/** Below each project folder: client and folder. */
export const PROJECT_SKILL_FOLDERS: readonly (readonly [client: string, folder: string])[] = [
  ["claude-code", ".claude/skills"],
  ["agents", ".agents/skills"],
  ["agents", ".agent/skills"],
  ["cursor", ".cursor/skills"],
  ["codex", ".codex/skills"],
  ["copilot-cli", ".github/skills"],
  ["windsurf", ".windsurf/skills"],
  ["opencode", ".opencode/skills"],
  ["kiro", ".kiro/skills"],
  ["cline", ".cline/skills"],
  ["roo-code", ".roo/skills"],
];
