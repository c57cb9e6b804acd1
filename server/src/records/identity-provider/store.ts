import type { MainDb, MainTransaction } from "#storage/database";
import type { IdentityProviderRow } from "#storage/sign-in-tables";
import type { Vault } from "#storage/vault";

export type { IdentityProviderRow };

/** D38: an installation has one organization and at most one provider. */
const ID = "organization";
const SECRET_PLACE = { table: "identity_providers", row: ID, column: "sealed_provider_secret" };

export async function findIdentityProvider(db: MainDb): Promise<IdentityProviderRow | undefined> {
  return db.selectFrom("identity_providers").selectAll().where("id", "=", ID).executeTakeFirst();
}

export async function saveIdentityProvider(tx: MainTransaction, row: Omit<IdentityProviderRow, "id">): Promise<void> {
  await tx
    .insertInto("identity_providers")
    .values({ id: ID, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

export async function deleteIdentityProvider(tx: MainTransaction): Promise<void> {
  await tx.deleteFrom("identity_providers").where("id", "=", ID).execute();
}

export function sealProviderSecret(vault: Vault, secret: string): string {
  return vault.seal("client-credentials", SECRET_PLACE, secret);
}

/** Undefined for a public client, which has no secret. */
export function openProviderSecret(vault: Vault, { sealed_provider_secret: sealed }: IdentityProviderRow) {
  return sealed === null ? undefined : vault.open("client-credentials", SECRET_PLACE, sealed);
}
