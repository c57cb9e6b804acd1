import type { ReportedEnforcement } from "#policy/types";
import { decideAll, describeViolations } from "../decisions.ts";
import type { Fields } from "../discover/parse-config.ts";
import { Quarantine } from "../enforce/quarantine.ts";
import { EnforcementResults } from "../enforce/results.ts";
import { EXIT, exitCodeOf, print, printError } from "../output.ts";
import { currentPolicy, deviceIdOf, rememberDevice } from "../policy-cache.ts";
import { rememberProjects } from "../remembered-projects.ts";
import { type ScanResult, scan } from "../scan.ts";
import { Service, TooLarge, Unavailable } from "../service.ts";
import type { Flags, Settings } from "../settings.ts";
import { textReports } from "../split-report.ts";
import { sendSpooled, spoolReport } from "../spool.ts";
import { StateFolder } from "../state.ts";

const PROXY_HINT = "If a proxy is in front of the service, let it accept requests of 5 MiB.";

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
  const result = scan(settings, { enforcement: pending, quarantined: new Quarantine(state).list() });
  rememberProjects(state, result.projects);
  const answer = await sendOrKeep(result, service, state);
  // They were sent, or are part of the kept report.
  results.remove(pending.length);
  if (answer === undefined) return { result, answer };
  rememberDevice(state, answer.device_id);
  await sendTexts(result, answer, service);
  return { result, answer };
}

async function sendOrKeep({ report }: ScanResult, service: Service, state: StateFolder): Promise<Fields | undefined> {
  try {
    await sendSpooled(state, service);
    return await service.sendReport(report);
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    printError(error.message);
    spoolReport(state, report);
    return undefined;
  }
}

/** The service names the skills whose texts it does not have. It asks again after the next report for what fails now. */
async function sendTexts({ report, skills }: ScanResult, answer: Fields, service: Service): Promise<void> {
  const wanted = Array.isArray(answer.wanted_texts) ? answer.wanted_texts : [];
  const found = skills.map(({ item }) => item);
  for (const texts of textReports(report, found, new Set(wanted))) {
    try {
      await service.sendReport(texts);
    } catch (error) {
      if (!(error instanceof Unavailable || error instanceof TooLarge)) throw error;
      const hint = error instanceof TooLarge ? ` ${PROXY_HINT}` : "";
      printError(`${error.message}. The texts of ${texts.skills.length} skills are not sent.${hint}`);
    }
  }
}
