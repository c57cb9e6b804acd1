import type { ClaimPath } from "#storage/exchange-tables";
import { claimAt } from "../claim-groups.ts";

export type Claims = Readonly<Record<string, unknown>>;

/** A claim that is a text and not blank. */
export function textClaim(claims: Claims, path: ClaimPath): string | undefined {
  const value = claimAt(claims, path);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

export function claimName(path: ClaimPath): string {
  return typeof path === "string" ? path : path.join(" → ");
}

/** Claims are untrusted text, and messages with them are shown and logged. */
export function shownClaim(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").toWellFormed();
  return line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN)}…` : line;
}

const MAX_SHOWN = 200;
