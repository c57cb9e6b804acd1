import { badUsage } from "./failure.ts";

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A span such as `90m` counts from now, into the past or the future; anything else is for the API to judge. */
export function readTime(option: string, text: string, now: number, direction: "ago" | "ahead"): string {
  const span = /^(\d{1,5})([smhd])$/.exec(text);
  if (!span) {
    if (/^\d{4}-/.test(text)) return text;
    throw badUsage(`--${option} must be a time such as 2026-01-31T08:00:00Z, or a span such as 90m, 12h or 7d`);
  }
  const ms = Number(span[1]) * (UNIT_MS[span[2] ?? ""] ?? 0);
  return new Date(direction === "ago" ? now - ms : now + ms).toISOString();
}
