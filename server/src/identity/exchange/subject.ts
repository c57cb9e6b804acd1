import type { ExchangeDefinition } from "#storage/exchange-tables";
import { claimAt } from "../claim-groups.ts";
import { type Claims, claimName, textClaim } from "./claims.ts";

/** The claims that name the subject if the provider does not select one, in this order. */
export const DEFAULT_SUBJECT_CLAIMS = ["email", "sub", "client_id"] as const;

export interface Subject {
  readonly claim: string;
  readonly value: string;
}

/** Undefined: the token has no such claim. For a fixed user, the subject is only recorded. */
export function subjectOf({ subject }: Pick<ExchangeDefinition, "subject">, claims: Claims): Subject | undefined {
  if (subject.mode === "map" && subject.claim !== null) {
    const value = textClaim(claims, subject.claim);
    return value === undefined ? undefined : { claim: claimName(subject.claim), value };
  }
  const order = subject.mode === "fixed" ? (["sub", "client_id", "email"] as const) : DEFAULT_SUBJECT_CLAIMS;
  for (const claim of order) {
    const value = textClaim(claims, claim);
    if (value !== undefined) return { claim, value };
  }
  return undefined;
}

/**
 * Whether the issuer vouches for the email. Undefined: it does not matter here. A missing `email_verified` counts as
 * unverified, because some issuers let people enter any email.
 */
export function isEmailVerified(
  { subject }: Pick<ExchangeDefinition, "subject">,
  claims: Claims,
  found: Subject,
): boolean | undefined {
  if (subject.mode === "fixed" || !subject.require_verified_email) return undefined;
  if (subject.match !== "email" || found.claim !== "email") return undefined;
  const verified = claimAt(claims, "email_verified");
  return verified === true || verified === "true";
}
