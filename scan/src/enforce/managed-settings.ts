/** Claude Code's managed settings: it does not start servers that are denied there. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { EffectivePolicy, PolicyRule } from "#policy/policy-types";
import type { Platform, ReportedServer } from "#policy/types";

const NAME = "50-gatehouse.json";
const FOLDERS: Readonly<Record<Platform, string>> = {
  darwin: "Library/Application Support/ClaudeCode/managed-settings.d",
  linux: "etc/claude-code/managed-settings.d",
  win32: "Program Files/ClaudeCode/managed-settings.d",
};

type DeniedServer = { readonly serverName: string } | { readonly serverUrl: string };

/** Rules that can be expressed there, and the blocked servers that were found. */
export function deniedServers(policy: EffectivePolicy, blocked: readonly ReportedServer[]): DeniedServer[] {
  const ofRules = policy.rules.flatMap((rule) =>
    rule.enabled && rule.action === "block" && rule.kind === "mcp_server" ? fromRule(rule) : [],
  );
  const ofItems = blocked.map(({ name }) => ({ serverName: name }));
  const byText = new Map([...ofRules, ...ofItems].map((entry) => [JSON.stringify(entry), entry]));
  return [...byText.values()];
}

/** Only rules with one condition: there, each entry denies without further conditions. */
function fromRule({ match }: PolicyRule): DeniedServer[] {
  const keys = Object.keys(match);
  if (keys.length !== 1) return [];
  const isPlain = (text: string) => !/[?[\]{}]/.test(text);
  if (match.url) return match.url.filter(isPlain).map((serverUrl) => ({ serverUrl }));
  if (match.host) return match.host.filter(isPlain).map((host) => ({ serverUrl: `https://${host}/*` }));
  if (match.name)
    return match.name.filter((name) => isPlain(name) && !name.includes("*")).map((serverName) => ({ serverName }));
  return [];
}

/** Writes the drop-in file, or removes it if nothing is denied. Returns its path. */
export function writeManagedSettings(systemRoot: string, platform: Platform, denied: readonly DeniedServer[]): string {
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
