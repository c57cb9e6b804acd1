import { isObject } from "#lib/is-object";
import type { ClaimPath } from "#storage/exchange-tables";

export type Claims = Readonly<Record<string, unknown>>;

/** Undefined if the token has no such claim. Only own properties count, so `constructor` is no claim. */
export function claimAt(claims: Claims, path: ClaimPath): unknown {
  let value: unknown = claims;
  for (const segment of segmentsOf(path)) {
    if (!isObject(value) || !Object.hasOwn(value, segment)) return undefined;
    value = value[segment];
  }
  return value;
}

/** A claim that is a text and not blank. */
export function textClaim(claims: Claims, path: ClaimPath): string | undefined {
  const value = claimAt(claims, path);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function claimName(path: ClaimPath): string {
  return typeof path === "string" ? path : path.join(" → ");
}

function segmentsOf(path: ClaimPath): readonly string[] {
  return typeof path === "string" ? path.split(".") : path;
}

/** Claims are untrusted text, and messages with them are shown and logged. */
export function shownClaim(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").toWellFormed();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

const MAX_SHOWN = 200;
