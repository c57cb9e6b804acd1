import type { ReportedEnforcement } from "#policy/types";
import { decideAll, describeViolations } from "../decisions.ts";
import type { Fields } from "../discover/parse-config.ts";
import { EnforcementResults } from "../enforce/results.ts";
import { EXIT, exitCodeOf, print, printError } from "../output.ts";
import { currentPolicy, deviceIdOf, rememberDevice } from "../policy-cache.ts";
import { type ScanResult, scan } from "../scan.ts";
import { Service, Unavailable } from "../service.ts";
import type { Flags, Settings } from "../settings.ts";
import { sendSpooled, spoolReport } from "../spool.ts";
import { StateFolder } from "../state.ts";

export interface Sent {
  readonly result: ScanResult;
  /** Undefined if the report was kept for later. */
  readonly answer: Fields | undefined;
}

export async function runReport(settings: Settings, { json }: Flags): Promise<number> {
  const service = new Service(settings);
  const state = new StateFolder(settings.stateDir);
  return state.exclusively(async () => {
    const { result, answer } = await sendReport(settings, service, state);
    const now = Date.now();
    const current = await currentPolicy(state, service, deviceIdOf(state, result.report), now);
    const items = current === undefined ? [] : decideAll(result, current.policy, now);
    if (json) print(JSON.stringify({ sent: answer !== undefined, answer: answer ?? null }, null, 2));
    else {
      print(answer === undefined ? "The report is kept on disk and sent with the next one." : "Report sent.");
      for (const line of describeViolations(items)) print(line);
    }
    return answer === undefined ? EXIT.failure : exitCodeOf(items.map(({ decision }) => decision));
  });
}

/** Scans and sends, after reports that could not be sent before. Keeps the report if the service is not reachable. */
export async function sendReport(settings: Settings, service: Service, state: StateFolder): Promise<Sent> {
  const results = new EnforcementResults(state);
  const pending: readonly ReportedEnforcement[] = results.read();
  const result = scan(settings, pending);
  const unsent = [result.report, ...result.texts];
  let answer: Fields | undefined;
  try {
    await sendSpooled(state, service);
    for (let next = unsent[0]; next !== undefined; next = unsent[0]) {
      const data = await service.sendReport(next);
      answer ??= data;
      unsent.shift();
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    printError(error.message);
    for (const report of unsent) spoolReport(state, report);
  }
  // They were sent, or are part of the kept report.
  results.remove(pending.length);
  if (answer !== undefined) rememberDevice(state, answer.device_id);
  return { result, answer };
}
