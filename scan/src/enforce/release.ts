import { existsSync } from "node:fs";
import type { ReportedEnforcement } from "#policy/types";
import { print, printError } from "../output.ts";
import type { Settings } from "../settings.ts";
import type { StateFolder } from "../state.ts";
import { restoreItems } from "./enforce-items.ts";
import { managedSettingsPath, removeManagedSettings } from "./managed-settings.ts";
import { Quarantine } from "./quarantine.ts";
import { EnforcementResults } from "./results.ts";

/** In monitor mode nothing stays enforced: restores the entire quarantine. */
export function releaseItems(state: StateFolder, now: number): ReportedEnforcement[] {
  const quarantine = new Quarantine(state);
  const results = restoreItems(quarantine, quarantine.list(), new Date(now).toISOString());
  new EnforcementResults(state).add(results);
  return results;
}

export function releaseManagedSettings({ systemRoot, platform }: Settings, json: boolean): void {
  if (systemRoot === undefined || !existsSync(managedSettingsPath(systemRoot, platform))) return;
  try {
    removeManagedSettings(systemRoot, platform);
    if (!json) print("removed      managed settings of Claude Code");
  } catch (error) {
    printError(`Managed settings of Claude Code were not removed: ${(error as Error).message}`);
  }
}
