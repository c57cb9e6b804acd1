import { isJsonObject, type Json, parseExactly } from "./exact-json.ts";

/** Parts that tools, prompts and resources have in common, each made such that every client can bear it. */

export const LONGEST_UPSTREAM_NAME = 256;
export const LONGEST_TITLE = 256;
export const LONGEST_DESCRIPTION = 8 * 1024; // GW-17
export const LARGEST_DEFINITION = 256 * 1024;
const THEMES = new Set<unknown>([undefined, "light", "dark"]);
/** GW-17: what a person who reviews the tool cannot see: control characters, bidi overrides, Unicode tags. */
const UNSEEN = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = parseExactly(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A name by which something can be called: nothing in it that cannot be seen. */
export function isName(name: unknown, longest: number): name is string {
  return typeof name === "string" && name !== "" && name.length <= longest && isPrintable(name);
}

/** What of a text can be seen, cut at a whole character. A NUL, which Postgres cannot store, is never left. */
export function seenText(text: unknown, longest: number): string | undefined {
  if (typeof text !== "string") return undefined;
  const cut = text.replace(UNSEEN, "").slice(0, longest);
  return cut.replace(/[\ud800-\udbff]$/, "").toWellFormed();
}

/** OA-8: an address that a client may show or fetch is a web address or carries the image itself. */
export function soundIcons(icons: unknown): Json[] | undefined {
  if (!Array.isArray(icons)) return undefined;
  return icons.filter(
    (icon): icon is Json =>
      isJsonObject(icon) &&
      typeof icon.src === "string" &&
      /^(?:https?:|data:image\/)/i.test(icon.src) &&
      ["string", "undefined"].includes(typeof icon.mimeType) &&
      (icon.sizes === undefined || isNameList(icon.sizes)) &&
      THEMES.has(icon.theme),
  );
}

export function isNameList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((entry) => typeof entry === "string");
}

function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Cf}]/u.test(text);
}
