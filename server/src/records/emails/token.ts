import type { EmailRow } from "#storage/email-tables";
import type { Vault } from "#storage/vault";

export function sealEmailToken(vault: Vault, id: string, token: string): string {
  return vault.seal("email", placeOf(id), token);
}

/** Throws `VaultFault` if it cannot be opened. */
export function openEmailToken(vault: Vault, { id, sealed_token }: EmailRow): string | undefined {
  return sealed_token === null ? undefined : vault.open("email", placeOf(id), sealed_token);
}

function placeOf(id: string) {
  return { table: "emails", row: id, column: "sealed_token" };
}
