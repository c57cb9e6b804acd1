import type { ApiContext } from "#api/kit/api-context";
import { EgressRefused } from "#egress/egress";
import type { CheckDefinition } from "#guards/definition";
import { validateChecks } from "#guards/validate-guard";
import { invalid } from "#lib/errors";
import { isObject } from "#lib/is-object";
import { openSecrets } from "#records/guards";
import type { GuardRow, StoredCheck } from "#storage/guard-tables";

type Egress = Pick<ApiContext, "assertReachableUrl">;

/** Validates checks, also against the rules for outbound requests (F40). */
export function readChecks(context: Egress, value: unknown): CheckDefinition[] {
  const checks = validateChecks(value);
  for (const [at, check] of checks.entries()) {
    if (check.type === "webhook") requireReachable(context, `checks.${at}.config.url`, check.config.url);
    if (check.type === "llm") requireReachable(context, `checks.${at}.config.base_url`, check.config.base_url);
  }
  return checks;
}

/** Undefined: the provider's own URL. */
function requireReachable(context: Egress, field: string, url: string | undefined): void {
  if (url === undefined) return;
  try {
    context.assertReachableUrl(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid(field, error.message);
    throw error;
  }
}

/**
 * Adds the stored secrets to checks that omit them, as a client does that sends back what it read. A check with another
 * destination does not get them: they would be sent to a receiver that they were not entered for.
 */
export function withKeptSecrets(
  { vault }: Pick<ApiContext, "vault">,
  checks: readonly CheckDefinition[],
  given: unknown,
  before: GuardRow,
): CheckDefinition[] {
  const stored = openSecrets(vault, before);
  return checks.map((check, at) => {
    const own = stored[check.id];
    const earlier = before.checks.find(({ id, type }) => id === check.id && type === check.type);
    if (!own || !earlier) return check;
    if (check.type === "webhook" && !hasMember(given, at, "headers")) {
      requireSame(`checks.${at}.config.headers`, "URL", earlier.config.url === check.config.url);
      return { ...check, config: { ...check.config, headers: own } };
    }
    if (check.type === "llm" && !hasMember(given, at, "api_key")) {
      requireSame(`checks.${at}.config.api_key`, "provider or its URL", hasSameProvider(earlier, check));
      return { ...check, config: { ...check.config, api_key: own.api_key } };
    }
    return check;
  });
}

function hasSameProvider({ config }: StoredCheck, check: Extract<CheckDefinition, { type: "llm" }>): boolean {
  return config.provider === check.config.provider && config.base_url === check.config.base_url;
}

function requireSame(field: string, what: string, isSame: boolean): void {
  if (!isSame) throw invalid(field, `must be given again, because the ${what} is different`);
}

function hasMember(given: unknown, at: number, name: "headers" | "api_key"): boolean {
  const check: unknown = Array.isArray(given) ? given[at] : undefined;
  const config = isObject(check) ? check.config : undefined;
  return isObject(config) && config[name] != null;
}
