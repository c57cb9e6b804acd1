import { Cron } from "croner";

const FIELDS = 5;

/** Undefined: the expression is invalid. Only five fields are accepted, so the shortest interval is a minute. */
function parsed(expression: string, timezone: string): Cron | undefined {
  if (expression.trim().split(/\s+/).length !== FIELDS) return undefined;
  try {
    return new Cron(expression.trim(), { timezone, paused: true });
  } catch {
    return undefined;
  }
}

export function isCron(expression: string): boolean {
  return parsed(expression, "UTC") !== undefined;
}

/** An IANA name. Offsets such as `+02:00` have no daylight saving time, and are refused. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}

/** The first time after `after`, in epoch milliseconds. Undefined: never. */
export function nextRunAfter(
  { cron, timezone }: { readonly cron: string; readonly timezone: string },
  after: number,
): number | undefined {
  return parsed(cron, timezone)?.nextRun(new Date(after))?.getTime();
}
