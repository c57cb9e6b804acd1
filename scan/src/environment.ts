/** The only reader of the environment and of the process. */
import { homedir, tmpdir, userInfo } from "node:os";
import type { Platform } from "#policy/types";

export interface Environment {
  readonly url: string | undefined;
  readonly token: string | undefined;
  readonly email: string | undefined;
  readonly configHome: string | undefined;
  readonly claudeConfig: string | undefined;
  readonly codexHome: string | undefined;
  readonly programData: string | undefined;
  readonly platform: Platform;
  readonly home: string;
  readonly username: string;
  readonly temporary: string;
  readonly isRoot: boolean;
}

export function readEnvironment(): Environment {
  const { env } = process;
  return {
    url: env.GATEHOUSE_URL || undefined,
    token: env.GATEHOUSE_SCAN_TOKEN || undefined,
    email: env.GATEHOUSE_SCAN_EMAIL || undefined,
    configHome: env.XDG_CONFIG_HOME || undefined,
    claudeConfig: env.CLAUDE_CONFIG_DIR || undefined,
    codexHome: env.CODEX_HOME || undefined,
    programData: env.ProgramData || undefined,
    platform: process.platform === "darwin" || process.platform === "win32" ? process.platform : "linux",
    home: homedir(),
    username: currentUser(),
    temporary: tmpdir(),
    isRoot: process.geteuid?.() === 0,
  };
}

/** A container can run under a user ID without an account. */
function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}
