import { fold } from "./fold.ts";

/**
 * Slugs of servers and machine users (Spec 2.1, D5). They contain no underscore, so `{slug}__{tool}` is unambiguous.
 */
export const SLUG_MAX_LENGTH = 40;
/** F1: slugs of toolkits. */
export const LONG_SLUG_MAX_LENGTH = 64;
export const SLUG_MESSAGE =
  "slug must contain only lowercase letters, numbers and hyphens, and must not start or end with a hyphen";

export const SLUG_PATTERN = "^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$";
const SLUG = new RegExp(SLUG_PATTERN);

export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** Converts a name to a slug, without accents; `fallback` if nothing remains. */
export function slugFromName(name: string, fallback: string, maxLength = SLUG_MAX_LENGTH): string {
  const ascii = fold(name)
    .normalize("NFKD")
    .replace(/\p{M}+/gu, "")
    .replace(/[^a-z0-9]+/g, "-");
  return trimHyphens(trimHyphens(ascii).slice(0, maxLength)) || fallback;
}

/** `wanted`, then `wanted-2`, `wanted-3`, …: at most `maxLength` characters including the suffix. */
export function slugCandidate(wanted: string, attempt: number, maxLength = SLUG_MAX_LENGTH): string {
  if (attempt === 1) return wanted;
  const suffix = `-${attempt}`;
  return trimHyphens(wanted.slice(0, maxLength - suffix.length)) + suffix;
}

/** The first attempt that is not in `taken`, the slugs already in the table. */
export function firstFreeAttempt(wanted: string, taken: ReadonlySet<string>, maxLength = SLUG_MAX_LENGTH): number {
  let attempt = 1;
  while (taken.has(slugCandidate(wanted, attempt, maxLength))) attempt++;
  return attempt;
}

function trimHyphens(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text[start] === "-") start++;
  while (end > start && text[end - 1] === "-") end--;
  return text.slice(start, end);
}
