import { gunzipSync, gzipSync } from "node:zlib";
import type { Report } from "#policy/types";
import { Rejected, type Service } from "./service.ts";
import type { StateFolder } from "./state.ts";

const FOLDER = "spool";
const MAX_REPORTS = 50;
/** What the service accepts. */
const MAX_AGE_SECONDS = 1_000_000_000;

/** Keeps a report that could not be sent. The oldest are dropped first. */
export function spoolReport(state: StateFolder, report: Report): void {
  const name = `${report.scanned_at.replace(/[^\d]/g, "")}-${report.report_id}.json.gz`;
  state.write(`${FOLDER}/${name}`, gzipSync(JSON.stringify(report)));
  const names = state.list(FOLDER);
  for (const old of names.slice(0, Math.max(0, names.length - MAX_REPORTS))) state.remove(`${FOLDER}/${old}`);
}

/**
 * Sends kept reports, oldest first, and returns how many. Those that the service rejects are dropped. Throws `Unavailable` or
 * `NoAccess` and keeps the others if none can be sent.
 */
export async function sendSpooled(state: StateFolder, service: Service): Promise<number> {
  let sent = 0;
  for (const name of state.list(FOLDER)) {
    const report = readSpooled(state, name);
    try {
      if (report !== undefined) await service.sendReport(report, ageOf(report));
      sent += 1;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
    }
    state.remove(`${FOLDER}/${name}`);
  }
  return sent;
}

/** A clock that was set back or ahead meanwhile makes the report seem new or very old. The next report follows either way. */
function ageOf({ scanned_at: at }: Report): number {
  const seconds = Math.round((Date.now() - Date.parse(at)) / 1000);
  return Math.min(Math.max(seconds, 0), MAX_AGE_SECONDS);
}

function readSpooled(state: StateFolder, name: string): Report | undefined {
  try {
    return JSON.parse(gunzipSync(state.readBytes(`${FOLDER}/${name}`) ?? Buffer.alloc(0)).toString("utf8")) as Report;
  } catch {
    return undefined;
  }
}
