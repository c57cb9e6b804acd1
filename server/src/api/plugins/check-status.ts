import { invalid } from "#lib/errors";
import type { PluginRow } from "#storage/plugin-tables";

/** Callers get releases, so only publishing makes a plugin active. */
export function checkStatus(wanted: PluginRow["status"] | undefined, current: PluginRow["status"]): void {
  if (wanted === "active" && current !== "active") throw invalid("status", "publish the plugin to make it active");
}
