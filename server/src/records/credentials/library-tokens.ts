import { LIBRARY_PATH } from "#lib/gateway-paths";
import type { NewId } from "#lib/ids";
import type { RandomBytes } from "#lib/random";
import type { MainDb, MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import type { CredentialRow } from "#storage/user-tables";
import type { Vault } from "#storage/vault";
import { insertGatewayToken } from "./gateway-tokens.ts";

export interface LibraryTokenMaking {
  readonly userId: string;
  readonly name: string;
  readonly now: number;
  readonly expiresAt: number;
  readonly newId: NewId;
  readonly random: RandomBytes;
  readonly vault: Vault;
}

export type LibraryTokenRow = Pick<CredentialRow, "id" | "access_key" | "client_id" | "expires_at" | "created_at">;

/** A token with which git and scripts of a person fetch plugins and skills, and nothing else. */
export async function makeLibraryToken(tx: MainTransaction, trail: WriteTrail, making: LibraryTokenMaking) {
  const { newId, name, ...rest } = making;
  const id = newId("crd");
  // The call log shows the name as the client.
  const token = await insertGatewayToken(tx, trail, {
    ...rest,
    ...{ id, kind: "library", clientId: name, path: LIBRARY_PATH },
  });
  return { id, token };
}

/** Newest first; expired ones stay until they are cleaned up, so that people see why git asks again. */
export async function listLibraryTokens(db: MainDb, userId: string): Promise<LibraryTokenRow[]> {
  return db
    .selectFrom("credentials")
    .select(["id", "access_key", "client_id", "expires_at", "created_at"])
    .where("user_id", "=", userId)
    .where("kind", "=", "library")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .execute();
}

/** Undefined: the user has no such token. */
export async function deleteLibraryToken(
  tx: MainTransaction,
  trail: WriteTrail,
  { userId, id }: { readonly userId: string; readonly id: string },
): Promise<LibraryTokenRow | undefined> {
  const [row] = await tx
    .deleteFrom("credentials")
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .where("kind", "=", "library")
    .returning(["id", "access_key", "client_id", "expires_at", "created_at"])
    .execute();
  if (row) trail.changed("credential", id);
  return row;
}
