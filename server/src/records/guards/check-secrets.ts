import type { GuardRow, StoredCheck } from "#storage/guard-tables";
import { type Vault, VaultFault } from "#storage/vault";

/** By the id of the check: the headers of a webhook by their names, or `api_key` of a model. */
export type CheckSecrets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Separates checks from their secrets, which are stored only sealed. */
export function splitSecrets(checks: readonly StoredCheck[]): {
  readonly checks: StoredCheck[];
  readonly secrets: CheckSecrets;
} {
  const secrets: Record<string, Readonly<Record<string, string>>> = {};
  const stored = checks.map(({ header_names: _names, has_api_key: _has, ...check }): StoredCheck => {
    const { headers, api_key: key, ...config } = check.config;
    // The check was validated: these are names and values, and a text.
    const own = { ...(headers as Record<string, string>), ...(key === undefined ? {} : { api_key: key as string }) };
    const names = Object.keys(own);
    if (names.length === 0) return { ...check, config };
    secrets[check.id] = own;
    return { ...check, config, ...(check.type === "llm" ? { has_api_key: true } : { header_names: names }) };
  });
  return { checks: stored, secrets };
}

/** Checks with what their webhooks and providers receive. */
export function joinSecrets(checks: readonly StoredCheck[], secrets: CheckSecrets): StoredCheck[] {
  return checks.map(({ header_names: _names, has_api_key: _has, ...check }) => {
    const own = secrets[check.id];
    if (check.type === "webhook") return { ...check, config: { ...check.config, headers: own ?? {} } };
    return check.type === "llm" ? { ...check, config: { ...check.config, ...own } } : check;
  });
}

export function sealSecrets(vault: Vault, guardId: string, secrets: CheckSecrets): string | null {
  if (Object.keys(secrets).length === 0) return null;
  return vault.seal("webhook-secret", placeOf(guardId), JSON.stringify(secrets));
}

/**
 * Empty when they cannot be opened: the vault has logged that, and a webhook or provider that rejects the request without
 * them fails the check.
 */
export function openSecrets(vault: Vault, { id, sealed_headers: sealed }: SealedSecrets): CheckSecrets {
  if (sealed === null) return {};
  try {
    // `sealSecrets` wrote it, and the vault proved that it is unchanged.
    return JSON.parse(vault.open("webhook-secret", placeOf(id), sealed)) as CheckSecrets;
  } catch (error) {
    if (error instanceof VaultFault) return {};
    throw error;
  }
}

type SealedSecrets = Pick<GuardRow, "id" | "sealed_headers">;

function placeOf(guardId: string) {
  return { table: "guards", row: guardId, column: "sealed_headers" };
}
