import { isJsonObject, type Json, parseExactly } from "./exact-json.ts";

/** Parts that tools, prompts, and resources share. */

export const MAX_NAME_LENGTH = 256;
export const MAX_TITLE_LENGTH = 256;
export const MAX_DESCRIPTION_LENGTH = 8 * 1024; // GW-17
export const MAX_DEFINITION_LENGTH = 256 * 1024;
const THEMES = new Set<unknown>([undefined, "light", "dark"]);
/** GW-17: control characters, bidi overrides, and Unicode tags, which a reviewer cannot see. */
const INVISIBLE = /(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu;

export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = parseExactly(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether this is a non-empty name without invisible characters. */
export function isName(name: unknown, maxLength: number): name is string {
  return typeof name === "string" && name !== "" && name.length <= maxLength && isPrintable(name);
}

/** Removes invisible characters, including NUL, which Postgres cannot store, and truncates at a character boundary. */
export function visibleText(text: unknown, maxLength: number): string | undefined {
  if (typeof text !== "string") return undefined;
  const truncated = text.replace(INVISIBLE, "").slice(0, maxLength);
  return truncated.replace(/[\ud800-\udbff]$/, "").toWellFormed();
}

/** OA-8: keeps only icons with a web URL or a data URL of an image. */
export function sanitizeIcons(icons: unknown): Json[] | undefined {
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
