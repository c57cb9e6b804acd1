import type { Decision } from "#policy/policy-types";
import type { ReportedEnforcement } from "#policy/types";
import { type DecidedItem, decideAll, describeViolations } from "../decisions.ts";
import { type EnforceContext, enforceItems } from "../enforce/enforce-items.ts";
import { previewItems } from "../enforce/preview.ts";
import { releaseItems, releaseManagedSettings } from "../enforce/release.ts";
import { exitCodeOf, print, printable, printError } from "../output.ts";
import { currentPolicy, deviceIdOf } from "../policy-cache.ts";
import { scan } from "../scan.ts";
import { Service } from "../service.ts";
import type { Flags, Settings } from "../settings.ts";
import { StateFolder } from "../state.ts";

const MONITOR_PREVIEW =
  "The policy is in monitor mode, in which everything in quarantine is restored. With enforcement, this would change:";

export async function runEnforce(settings: Settings, flags: Flags): Promise<number> {
  const state = new StateFolder(settings.stateDir);
  // Without a service, the stored policy is enforced.
  const service = settings.url === undefined ? undefined : new Service(settings);
  return state.exclusively(async () => exitCodeOf(await enforceOnce(settings, flags, service, state)));
}

/** Scans and applies the policy. Returns the decisions. */
export async function enforceOnce(
  settings: Settings,
  { dryRun, json }: Flags,
  service: Service | undefined,
  state: StateFolder,
): Promise<Decision[]> {
  const result = scan(settings);
  const now = Date.now();
  const current = await currentPolicy(state, service, deviceIdOf(state, result.report), now);
  if (current === undefined)
    throw new Error("There is no policy yet. Connect to the service once, then run this again.");
  const { policy, staleSince } = current;
  const items = decideAll(result, policy, now);
  const context: EnforceContext = { settings, state, policy, items, now };
  const isMonitor = policy.enforcement === "monitor";
  if (staleSince !== undefined)
    printError(`The policy was last confirmed at ${staleSince}. It is older than 7 days and is not enforced.`);
  if (dryRun) print(isMonitor ? `${MONITOR_PREVIEW}\n${previewItems(context)}` : previewItems(context));
  // An outdated policy neither enforces nor releases: an admin may have changed the mode since.
  else if (staleSince !== undefined) printViolations(items, json);
  else if (isMonitor) return decisionsOf(release(context, json));
  else printResults(enforceItems(context), json);
  return decisionsOf(items);
}

/** Returns what is there afterwards. */
function release({ settings, state, policy, items, now }: EnforceContext, json: boolean): readonly DecidedItem[] {
  const results = releaseItems(state, now);
  printResults(results, json);
  releaseManagedSettings(settings, json);
  const after = results.length === 0 ? items : decideAll(scan(settings), policy, now);
  printViolations(after, json);
  return after;
}

function decisionsOf(items: readonly DecidedItem[]): Decision[] {
  return items.map(({ decision }) => decision);
}

function printViolations(items: readonly DecidedItem[], json: boolean): void {
  if (!json) for (const line of describeViolations(items)) print(line);
}

function printResults(results: readonly ReportedEnforcement[], json: boolean): void {
  if (json) return void print(JSON.stringify(results, null, 2));
  for (const { result, kind, name, client, reason } of results) {
    print(printable(`${result.padEnd(11)}  ${kind} ${name} (${client})${reason ? `: ${reason}` : ""}`));
  }
}
