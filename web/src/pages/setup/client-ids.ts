export const CLIENT_IDS = [
  "claude-code",
  "claude",
  "cursor",
  "vscode",
  "codex",
  "chatgpt",
  "windsurf",
  "opencode",
  "goose",
  "gemini",
  "curl",
  "typescript",
  "python",
] as const;

export type ClientId = (typeof CLIENT_IDS)[number];
