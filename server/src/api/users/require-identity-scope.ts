import type { Input } from "#api/kit/operation";

/**
 * Trusted issuers can identify people by their external ID, so whoever sets it can act as the person. `admin:write` must not
 * (decision 0056).
 */
export function requireIdentityScope(
  { requireScope }: Pick<Input<object, object, object, unknown>, "requireScope">,
  before: string | null | undefined,
  after: string | null | undefined,
): void {
  if (after === undefined || after === (before ?? null)) return;
  requireScope("all", "trusted issuers identify people by external_id");
}
