/** Claude Code's managed settings: it does not start servers that are denied there. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deniedNames, type ServerEntry, settingsOfRules } from "#policy/claude-code-settings";
import type { EffectivePolicy } from "#policy/policy-types";
import type { Platform, ReportedServer } from "#policy/types";

const NAME = "50-gatehouse.json";
const FOLDERS: Readonly<Record<Platform, string>> = {
  darwin: "Library/Application Support/ClaudeCode/managed-settings.d",
  linux: "etc/claude-code/managed-settings.d",
  win32: "Program Files/ClaudeCode/managed-settings.d",
};

/** The servers of Claude Code that were found, and those in quarantine. */
export interface KnownServers {
  readonly allowed: readonly ReportedServer[];
  readonly blocked: readonly ReportedServer[];
}

/** Rules that can be expressed there, and the blocked servers that were found. */
export function deniedServers(policy: EffectivePolicy, { allowed, blocked }: KnownServers, now: number): ServerEntry[] {
  const allowedNames = new Set(namesOf(allowed));
  const gatewayUrls = policy.gateway_urls ?? [];
  const { denied } = settingsOfRules({ policy, gatewayUrls, allowedNames, commandsOf: () => [], now });
  const entries = [...denied, ...deniedNames(namesOf(blocked), allowedNames)];
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()];
}

function namesOf(servers: readonly ReportedServer[]): string[] {
  return servers.flatMap(({ client, name }) => (client === "claude-code" ? [name] : []));
}

/** Writes the drop-in file, or removes it if nothing is denied. Returns its path. */
export function writeManagedSettings(systemRoot: string, platform: Platform, denied: readonly ServerEntry[]): string {
  const folder = join(systemRoot, FOLDERS[platform]);
  const path = join(folder, NAME);
  if (denied.length === 0) {
    rmSync(path, { force: true });
    return path;
  }
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const temporary = `${path}.${process.pid}.tmp`;
  writeFileSync(temporary, `${JSON.stringify({ deniedMcpServers: denied }, null, 2)}\n`, { mode: 0o644 });
  renameSync(temporary, path);
  return path;
}

export function removeManagedSettings(systemRoot: string, platform: Platform): void {
  rmSync(managedSettingsPath(systemRoot, platform), { force: true });
}

export function managedSettingsPath(systemRoot: string, platform: Platform): string {
  return join(systemRoot, FOLDERS[platform], NAME);
}
