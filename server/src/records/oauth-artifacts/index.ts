import { sql } from "kysely";
import type { MainDb } from "#storage/database";
import type { OAuthArtifactRow } from "#storage/oauth-server-tables";

/** Overwriting keeps the creation time and whether it was consumed. */
export async function putArtifact(db: MainDb, row: Omit<OAuthArtifactRow, "consumed_at">): Promise<void> {
  const { sealed_payload, expires_at } = row;
  await db
    .insertInto("oauth_artifacts")
    .values({ ...row, consumed_at: null })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ sealed_payload, expires_at }))
    .execute();
}

/** False if the ID exists already. */
export async function addArtifact(db: MainDb, row: Omit<OAuthArtifactRow, "consumed_at">): Promise<boolean> {
  const added = await db
    .insertInto("oauth_artifacts")
    .values({ ...row, consumed_at: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .returning("id")
    .execute();
  return added.length === 1;
}

export async function findArtifact(db: MainDb, id: string, now: number): Promise<OAuthArtifactRow | undefined> {
  return db
    .selectFrom("oauth_artifacts")
    .selectAll()
    .where("id", "=", id)
    .where("expires_at", ">", now)
    .executeTakeFirst();
}

/** Of several concurrent calls, exactly one returns true. */
export async function consumeArtifact(db: MainDb, id: string, now: number): Promise<boolean> {
  const consumed = await db
    .updateTable("oauth_artifacts")
    .set({ consumed_at: now })
    .where("id", "=", id)
    .where("consumed_at", "is", null)
    .returning("id")
    .execute();
  return consumed.length === 1;
}

export async function deleteArtifact(db: MainDb, id: string): Promise<void> {
  await db.deleteFrom("oauth_artifacts").where("id", "=", id).execute();
}

/** Keeps `most` other artifacts of the model and grant: unconsumed ones first, then the newest. */
export async function trimArtifacts(
  db: MainDb,
  { id, model, grant_id }: Pick<OAuthArtifactRow, "id" | "model" | "grant_id">,
  most: number,
): Promise<void> {
  const kept = db
    .selectFrom("oauth_artifacts")
    .select("id")
    .where("grant_id", "=", grant_id)
    .where("model", "=", model)
    .where("id", "!=", id)
    .orderBy((is) => is("consumed_at", "is", null), "desc")
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(most);
  await db
    .deleteFrom("oauth_artifacts")
    .where("grant_id", "=", grant_id)
    .where("model", "=", model)
    .where("id", "!=", id)
    .where("id", "not in", kept)
    .execute();
}

/** Keeps the newest `most` artifacts of a model that were never extended, because anyone can create them. */
export async function trimNeverUsed(
  db: MainDb,
  { model, lifeMs }: { readonly model: string; readonly lifeMs: number },
  most: number,
): Promise<void> {
  const isNeverUsed = sql<boolean>`model = ${model} and expires_at <= created_at + ${lifeMs}`;
  const newest = db
    .selectFrom("oauth_artifacts")
    .select("id")
    .where(isNeverUsed)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(most);
  await db.deleteFrom("oauth_artifacts").where(isNeverUsed).where("id", "not in", newest).execute();
}

/** Keeps the newest `most` artifacts of a model, whatever their expiry. */
export async function trimModel(db: MainDb, model: string, most: number): Promise<void> {
  const newest = db
    .selectFrom("oauth_artifacts")
    .select("id")
    .where("model", "=", model)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(most);
  await db.deleteFrom("oauth_artifacts").where("model", "=", model).where("id", "not in", newest).execute();
}

/** Extends the expiry to at least this time. */
export async function prolongArtifact(db: MainDb, id: string, until: number): Promise<void> {
  await db
    .updateTable("oauth_artifacts")
    .set({ expires_at: until })
    .where("id", "=", id)
    .where("expires_at", "<", until)
    .execute();
}

export async function deleteArtifactsBefore(db: MainDb, now: number): Promise<void> {
  await db.deleteFrom("oauth_artifacts").where("expires_at", "<=", now).execute();
}
