import type { GuardRow, StoredCheck } from "#storage/guard-tables";
import { type Vault, VaultFault } from "#storage/vault";

/** The headers of webhook checks, by the id of the check. */
export type CheckHeaders = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Separates checks from the headers of their webhooks, which are stored only sealed. */
export function splitHeaders(checks: readonly StoredCheck[]): {
  readonly checks: StoredCheck[];
  readonly headers: CheckHeaders;
} {
  const headers: Record<string, Record<string, string>> = {};
  const stored = checks.map(({ header_names: _names, ...check }) => {
    if (check.type !== "webhook") return check;
    const { headers: given = {}, ...config } = check.config;
    // The check was validated: these are names and values.
    const values = given as Record<string, string>;
    const names = Object.keys(values);
    if (names.length === 0) return { ...check, config };
    headers[check.id] = values;
    return { ...check, config, header_names: names };
  });
  return { checks: stored, headers };
}

/** Checks with the headers that their webhooks receive. */
export function joinHeaders(checks: readonly StoredCheck[], headers: CheckHeaders): StoredCheck[] {
  return checks.map(({ header_names: _names, ...check }) =>
    check.type === "webhook" ? { ...check, config: { ...check.config, headers: headers[check.id] ?? {} } } : check,
  );
}

export function sealHeaders(vault: Vault, guardId: string, headers: CheckHeaders): string | null {
  if (Object.keys(headers).length === 0) return null;
  return vault.seal("webhook-secret", placeOf(guardId), JSON.stringify(headers));
}

/**
 * Empty when they cannot be opened: the vault has logged that, and a webhook that rejects the request without them fails
 * the check.
 */
export function openHeaders(vault: Vault, { id, sealed_headers: sealed }: SealedHeaders): CheckHeaders {
  if (sealed === null) return {};
  try {
    // `sealHeaders` wrote it, and the vault proved that it is unchanged.
    return JSON.parse(vault.open("webhook-secret", placeOf(id), sealed)) as CheckHeaders;
  } catch (error) {
    if (error instanceof VaultFault) return {};
    throw error;
  }
}

type SealedHeaders = Pick<GuardRow, "id" | "sealed_headers">;

function placeOf(guardId: string) {
  return { table: "guards", row: guardId, column: "sealed_headers" };
}
