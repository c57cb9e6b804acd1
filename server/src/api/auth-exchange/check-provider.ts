import { isDeepStrictEqual } from "node:util";
import type { ApiContext } from "#api/kit/api-context";
import type { Input } from "#api/kit/operation";
import { EgressRefused } from "#egress/egress";
import { invalid } from "#lib/errors";
import { reserveAudiences } from "#records/auth-exchange";
import type { MainTransaction } from "#storage/database";
import type { ExchangeDefinition, ExchangeProviderRow } from "#storage/exchange-tables";
import { checkDefinition } from "./definition.ts";

/** Everything about a provider that its body alone does not show. */
export function checkProvider(
  context: Pick<ApiContext, "assertReachableUrl">,
  { issuer, definition }: Pick<ExchangeProviderRow, "issuer" | "definition">,
): void {
  checkDefinition(issuer, definition);
  if (definition.jwks_uri !== null) requireReachable(context, "jwks_uri", definition.jwks_uri);
  else if (definition.jwks === null) requireReachable(context, "issuer", issuer);
}

/** After the provider was stored. */
export async function requireOwnAudiences(tx: MainTransaction, provider: ExchangeProviderRow): Promise<void> {
  if (await reserveAudiences(tx, provider)) return;
  throw invalid("issuer", "another provider accepts this issuer and audience");
}

/** F40: the same rules apply when keys are fetched, also to the addresses that a host name resolves to. */
function requireReachable(context: Pick<ApiContext, "assertReachableUrl">, field: string, url: string): void {
  try {
    context.assertReachableUrl(url);
  } catch (error) {
    if (error instanceof EgressRefused) throw invalid(field, error.message);
    throw error;
  }
}

type Trusted = Pick<ExchangeProviderRow, "enabled" | "issuer" | "definition">;

/**
 * `admin:write` manages people but must not act as them (decision 0056), and an issuer whose tokens select people can act as
 * any of them. Without the scope `all`, such a provider can only be renamed, disabled and deleted.
 */
export function requireTrustScope(
  { requireScope }: Pick<Input<object, object, object, unknown>, "requireScope">,
  after: Trusted,
  before?: Trusted,
): void {
  if (before && !extendsTrust(before, after)) return;
  const actsAsPeople = [before, after].some((each) => each !== undefined && selectsPeople(each.definition));
  if (actsAsPeople) requireScope("all", "tokens of this issuer can act as people");
}

function extendsTrust(before: Trusted, after: Trusted): boolean {
  const isEnabled = after.enabled && !before.enabled;
  return isEnabled || before.issuer !== after.issuer || !isDeepStrictEqual(before.definition, after.definition);
}

/** Other subjects are machine users, which belong to the admins. */
function selectsPeople({ subject }: ExchangeDefinition): boolean {
  return subject.mode === "map" && subject.match !== "slug";
}

/** What decides which tokens are accepted, and for which user. Credentials end when it changes. */
export function trustOf({ issuer, definition }: Pick<ExchangeProviderRow, "issuer" | "definition">): string {
  const { jwks, jwks_uri, audiences, algorithms, conditions, subject } = definition;
  return JSON.stringify([issuer, jwks, jwks_uri, audiences, algorithms, conditions, subject]);
}
