import { timingSafeEqual } from "node:crypto";
import type { MainDb } from "#storage/database";
import { type MovedSlice, VALUES_PER_SLICE } from "#storage/sealed-columns";
import { KEY_ROTATION, type WriteContext, writeTransaction } from "#storage/transaction";
import type { CredentialRow } from "#storage/user-tables";
import { type Vault, VaultFault } from "#storage/vault";

type Peppered = Pick<CredentialRow, "id" | "verifier" | "pepper_version" | "sealed_secret">;

/**
 * SEC-6: recomputes the next verifiers under the newest pepper, from the sealed copies of their secrets. Snapshots with
 * an old verifier stay valid, because its pepper is kept. Undefined: there are none after `afterId`.
 */
export async function repepperSlice(
  context: WriteContext,
  vault: Vault,
  afterId: string,
): Promise<MovedSlice | undefined> {
  const older = vault.olderVersions("machine-pepper");
  if (older.length === 0) return undefined;
  const rows = await context.db
    .selectFrom("credentials")
    .select(["id", "verifier", "pepper_version", "sealed_secret"])
    .where("id", ">", afterId)
    .where("sealed_secret", "is not", null)
    .where("pepper_version", "in", older)
    .orderBy("id")
    .limit(VALUES_PER_SLICE)
    .execute();
  const lastId = rows.at(-1)?.id;
  if (lastId === undefined) return undefined;
  const renewed = rows.flatMap((row) => {
    const verifier = newVerifier(vault, row);
    return verifier === undefined ? [] : [{ row, verifier }];
  });
  const { result: moved } = await writeTransaction(context, KEY_ROTATION, async (tx) => {
    let count = 0;
    for (const { row, verifier } of renewed) {
      const { numUpdatedRows } = await tx
        .updateTable("credentials")
        .set(verifier)
        .where("id", "=", row.id)
        // Skips a secret that was rotated meanwhile.
        .where("verifier", "=", row.verifier)
        .executeTakeFirst();
      count += Number(numUpdatedRows);
    }
    return count;
  });
  return { moved, unopened: rows.length - renewed.length, lastId };
}

/** Undefined: the sealed copy cannot be opened or does not match the verifier. */
function newVerifier(vault: Vault, row: Peppered): Pick<CredentialRow, "verifier" | "pepper_version"> | undefined {
  try {
    const place = { table: "credentials", row: row.id, column: "sealed_secret" };
    const secret = vault.open("machine-secret", place, row.sealed_secret ?? "");
    const proof = vault.verifier(secret, row.pepper_version);
    if (proof?.length !== row.verifier.length || !timingSafeEqual(proof, row.verifier)) return undefined;
    const pepperVersion = vault.pepperVersion;
    const verifier = vault.verifier(secret, pepperVersion);
    return verifier && { verifier, pepper_version: pepperVersion };
  } catch (error) {
    if (error instanceof VaultFault) return undefined;
    throw error;
  }
}

/** The number of verifiers for each pepper. */
export async function countByPepper(db: MainDb): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom("credentials")
    .select((expression) => ["pepper_version", expression.fn.countAll().as("count")])
    .groupBy("pepper_version")
    .execute();
  return new Map(rows.map(({ pepper_version, count }) => [pepper_version, Number(count)]));
}
