import { restoreItems } from "../enforce/enforce-items.ts";
import { forgetItems } from "../enforce/forget.ts";
import { removeManagedSettings } from "../enforce/managed-settings.ts";
import { Quarantine, type QuarantinedItem } from "../enforce/quarantine.ts";
import { EnforcementResults } from "../enforce/results.ts";
import { EXIT, print, printable } from "../output.ts";
import { type Flags, type Settings, UsageError } from "../settings.ts";
import { StateFolder } from "../state.ts";

const EMPTY = "The quarantine is empty.";

/** Undoes enforcement. Without IDs, lists what is in quarantine. */
export async function runRestore(
  settings: Settings,
  { all, dryRun, json, forget }: Flags,
  ids: readonly string[],
): Promise<number> {
  const state = new StateFolder(settings.stateDir);
  const quarantine = new Quarantine(state);
  const items = quarantine.list();
  const chosen = all ? items : items.filter(({ id }) => ids.includes(id));
  const unknown = ids.find((id) => !items.some((item) => item.id === id));
  if (unknown !== undefined)
    throw new UsageError(`${unknown} is not in quarantine. Run gatehouse-scan restore to list what is.`);
  if (forget && ids.length === 0) throw new UsageError("--forget needs the IDs of items in quarantine.");
  if (dryRun || (!all && ids.length === 0)) {
    const listed = all || ids.length > 0 ? chosen : items;
    if (json)
      return print(
        JSON.stringify(
          listed.map(({ id, kind, path, item, quarantined_at }) => ({
            id,
            kind,
            path,
            name: item.name,
            quarantined_at,
          })),
          null,
          2,
        ),
      );
    return print(
      listed
        .map(({ id, kind, item, path }) => printable(`${id}  ${kind} ${item.name} (${item.client}) in ${path}`))
        .join("\n") || EMPTY,
    );
  }
  return state.exclusively(async () => {
    if (forget) return printForgotten(forgetItems(quarantine, chosen), json);
    // Without an ID, a project that was deleted does not come back.
    const results = restoreItems(quarantine, chosen, new Date().toISOString(), ids.length > 0);
    new EnforcementResults(state).add(results);
    if (all && settings.systemRoot !== undefined) removeManagedSettings(settings.systemRoot, settings.platform);
    const lines = results.map(({ result, name, reason }) =>
      printable(`${result}  ${name}${reason ? `: ${reason}` : ""}`),
    );
    print(json ? JSON.stringify(results, null, 2) : lines.join("\n") || EMPTY);
    return results.some(({ result }) => result === "failed") ? EXIT.failure : EXIT.clean;
  });
}

function printForgotten(items: readonly QuarantinedItem[], json: boolean): number {
  if (json)
    return print(
      JSON.stringify(
        items.map(({ id, kind, item }) => ({ id, kind, name: item.name })),
        null,
        2,
      ),
    );
  return print(items.map(({ item }) => printable(`forgotten  ${item.name}`)).join("\n"));
}
