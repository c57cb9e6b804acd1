import type { LogDestinationRow } from "#storage/log-destination-tables";
import type { Vault } from "#storage/vault";

/** The secret fields of all kinds. */
export interface LogDestinationSecrets {
  /** Headers of `otlp` and `webhook`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Signs the requests of `webhook`. */
  readonly secret?: string;
  /** Signs the requests of `s3`. */
  readonly secret_access_key?: string;
}

export function sealLogSecrets(vault: Vault, id: string, secrets: LogDestinationSecrets): string | null {
  if (Object.values(secrets).every((value) => value === undefined)) return null;
  return vault.seal("webhook-secret", placeOf(id), JSON.stringify(secrets));
}

/** Throws `VaultFault` if they cannot be opened. */
export function openLogSecrets(
  vault: Vault,
  { id, sealed_secrets: sealed }: Pick<LogDestinationRow, "id" | "sealed_secrets">,
): LogDestinationSecrets {
  if (sealed === null) return {};
  // `sealLogSecrets` wrote it, and the vault proved that it is unchanged.
  return JSON.parse(vault.open("webhook-secret", placeOf(id), sealed)) as LogDestinationSecrets;
}

function placeOf(id: string) {
  return { table: "log_destinations", row: id, column: "sealed_secrets" };
}
