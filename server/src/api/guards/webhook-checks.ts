import type { ApiContext } from "#api/kit/api-context";
import { EgressRefused } from "#egress/egress";
import type { CheckDefinition } from "#guards/definition";
import { validateChecks } from "#guards/validate-guard";
import { invalid } from "#lib/errors";
import { isObject } from "#lib/is-object";
import { openHeaders } from "#records/guards";
import type { GuardRow } from "#storage/guard-tables";

type Egress = Pick<ApiContext, "assertReachableUrl">;

/** Validates checks, also against the rules for outbound requests (F40). */
export function readChecks(context: Egress, value: unknown): CheckDefinition[] {
  const checks = validateChecks(value);
  for (const [at, check] of checks.entries()) {
    if (check.type === "webhook") requireReachable(context, `checks.${at}.config.url`, check.config.url);
  }
  return checks;
}

function requireReachable(context: Egress, field: string, url: string): void {
  try {
    context.assertReachableUrl(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid(field, error.message);
    throw error;
  }
}

/**
 * Adds the stored headers to webhooks whose headers are omitted, as a client does that sends back what it read. A check
 * with another URL does not get them: they would be sent to a receiver that they were not entered for.
 */
export function withKeptHeaders(
  { vault }: Pick<ApiContext, "vault">,
  checks: readonly CheckDefinition[],
  given: unknown,
  before: GuardRow,
): CheckDefinition[] {
  const stored = openHeaders(vault, before);
  return checks.map((check, at) => {
    if (check.type !== "webhook" || hasHeaders(given, at)) return check;
    const earlier = before.checks.find(({ id, type }) => id === check.id && type === "webhook");
    if (!earlier?.header_names) return check;
    if (earlier.config.url !== check.config.url) {
      throw invalid(`checks.${at}.config.headers`, "must be given again, because the URL is different");
    }
    return { ...check, config: { ...check.config, headers: stored[check.id] ?? {} } };
  });
}

function hasHeaders(given: unknown, at: number): boolean {
  const check: unknown = Array.isArray(given) ? given[at] : undefined;
  const config = isObject(check) ? check.config : undefined;
  return isObject(config) && config.headers != null;
}
