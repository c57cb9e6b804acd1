import type { Decision } from "#policy/policy-types";
import type { ReportedEnforcement } from "#policy/types";
import { type DecidedItem, decideAll, describeViolations } from "../decisions.ts";
import { type EnforceContext, enforceItems } from "../enforce/enforce-items.ts";
import { previewItems } from "../enforce/preview.ts";
import { exitCodeOf, print, printable, printError } from "../output.ts";
import { currentPolicy, deviceIdOf } from "../policy-cache.ts";
import { scan } from "../scan.ts";
import { Service } from "../service.ts";
import type { Flags, Settings } from "../settings.ts";
import { StateFolder } from "../state.ts";

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
  const items: DecidedItem[] = decideAll(result, policy, now);
  const context: EnforceContext = { settings, state, policy, items, now };
  const mode = staleSince === undefined ? policy.enforcement : "monitor";
  if (staleSince !== undefined)
    printError(`The policy was last confirmed at ${staleSince}. It is older than 7 days and is not enforced.`);
  if (mode === "monitor") for (const line of describeViolations(items)) print(line);
  else if (dryRun) print(previewItems(context));
  else printResults(enforceItems(context), json);
  return items.map(({ decision }) => decision);
}

function printResults(results: readonly ReportedEnforcement[], json: boolean): void {
  if (json) return void print(JSON.stringify(results, null, 2));
  for (const { result, kind, name, client, reason } of results) {
    print(printable(`${result.padEnd(11)}  ${kind} ${name} (${client})${reason ? `: ${reason}` : ""}`));
  }
}
