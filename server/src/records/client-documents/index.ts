import type { MainDb } from "#storage/database";

/** Whether client ID metadata documents can be fetched, as the processes of an installation last found (decision 0068). */
export interface DocumentState {
  readonly works: boolean;
  /** The URL that was fetched or tested last. */
  readonly url: string;
  /** Why it could not be fetched; null if it could. */
  readonly reason: string | null;
  readonly testedAt: number;
  readonly nextTestAt: number;
  /** Consecutive failed tests. */
  readonly failures: number;
  /** A client's document that could not be fetched. It is tested again before any other URL. */
  readonly failed: { readonly url: string; readonly at: number } | null;
}

/** In the settings table, because it is one value per installation that all processes share. */
const NAME = "client-id-documents";

export async function readDocumentState(db: MainDb): Promise<DocumentState | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row?.value as DocumentState | undefined; // only `storeDocumentState` writes this row
}

export async function storeDocumentState(db: MainDb, value: DocumentState): Promise<void> {
  const row = { value, updated_at: value.testedAt };
  await db
    .insertInto("settings")
    .values({ name: NAME, ...row })
    .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
    .execute();
}

/** The documents of clients that people of this organization allowed, most recently used first. */
export async function allowedDocuments(db: MainDb, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("oauth_grants")
    .select(["client_id", ({ fn }) => fn.max("last_used_at").as("used")])
    .where("client_id", "like", "https://%")
    .groupBy("client_id")
    .orderBy("used", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ client_id }) => client_id);
}
