import { badUsage } from "./failure.ts";

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `90m`, `12h`, `7d`. */
export function readDurationMs(option: string, text: string): number {
  const ms = durationMs(text);
  if (ms === undefined) throw badUsage(`--${option} must be a duration such as 90m, 12h, or 7d, not "${text}"`);
  return ms;
}

/** Reads a date or time, or a duration that counts from now into the past or the future. */
export function readTime(option: string, text: string, now: number, direction: "ago" | "ahead"): string {
  if (/^\d{4}-/.test(text) && !Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  const ms = durationMs(text);
  if (ms !== undefined) return new Date(direction === "ago" ? now - ms : now + ms).toISOString();
  const forms = "a time such as 2026-01-31T08:00:00Z, or a duration such as 90m, 12h, or 7d";
  throw badUsage(`--${option} must be ${forms}, not "${text}"`);
}

function durationMs(text: string): number | undefined {
  const [, count, unit = ""] = /^(\d{1,5})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (UNIT_MS[unit] ?? 0);
}
