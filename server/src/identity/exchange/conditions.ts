import type { ExchangeCondition } from "#storage/exchange-tables";
import { claimAt } from "../claim-groups.ts";
import { type Claims, claimName, shownClaim } from "./claims.ts";
import { matchesGlob } from "./glob.ts";

/** Longer claims match no pattern, which bounds the time of a check. */
const MAX_MATCHED_LENGTH = 10_000;

export interface EvaluatedCondition {
  readonly holds: boolean;
  readonly detail: string;
}

/**
 * A missing claim satisfies no operator except `exists: false`: a condition that excludes a value must not pass because
 * the issuer omits the claim.
 */
export function evaluateCondition(condition: ExchangeCondition, claims: Claims): EvaluatedCondition {
  const value = claimAt(claims, condition.claim);
  const name = claimName(condition.claim);
  const found = value === undefined ? `${name} is missing` : `${name} is ${shownClaim(value)}`;
  return { holds: holds(condition, value), detail: found };
}

export function describeCondition({ claim, operator, value }: ExchangeCondition): string {
  const wanted = Array.isArray(value) ? value.join(", ") : String(value);
  return `${claimName(claim)} ${operator} ${wanted}`;
}

function holds({ operator, value: wanted }: ExchangeCondition, value: unknown): boolean {
  if (operator === "exists") return (value !== undefined) === (wanted !== false);
  if (value === undefined) return false;
  const elements: readonly unknown[] = Array.isArray(value) ? value : [value];
  switch (operator) {
    case "equals":
      return elements.includes(wanted);
    case "not_equals":
      return !elements.includes(wanted);
    case "in":
      return Array.isArray(wanted) && elements.some((element) => wanted.some((each) => each === element));
    case "matches":
      return elements.some((element) => typeof wanted === "string" && isMatch(wanted, element));
  }
}

function isMatch(pattern: string, element: unknown): boolean {
  return typeof element === "string" && element.length <= MAX_MATCHED_LENGTH && matchesGlob(pattern, element);
}
