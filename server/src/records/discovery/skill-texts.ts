import { sql } from "kysely";
import { type BulkColumn, insertRows } from "#storage/bulk-insert";
import type { MainDb, MainTransaction } from "#storage/database";
import { idList } from "#storage/id-list";

/** Keeps the first text of each skill. The items exist. */
export async function insertSkillTexts(
  tx: MainTransaction,
  texts: ReadonlyMap<string, string>,
  now: number,
): Promise<void> {
  const rows = [...texts].map(([item_id, skill_md]) => ({ item_id, skill_md, received_at: now }));
  for (const row of rows) {
    await tx
      .insertInto("discovery_skill_texts")
      .values(row)
      .onConflict((conflict) => conflict.column("item_id").doNothing())
      .execute();
  }
}

/** The items among these that have a text. */
export async function itemsWithText(db: MainDb, itemIds: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom("discovery_skill_texts")
    .select("item_id")
    .where(sql<boolean>`item_id in ${idList(db, itemIds)}`)
    .execute();
  return new Set(rows.map(({ item_id }) => item_id));
}

export async function findSkillText(db: MainDb, itemId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("discovery_skill_texts")
    .select("skill_md")
    .where("item_id", "=", itemId)
    .executeTakeFirst();
  return row?.skill_md;
}

export interface RefusedText {
  readonly deviceId: string;
  readonly itemId: string;
}

const REFUSED_COLUMNS: readonly BulkColumn[] = [
  ["device_id", "text"],
  ["item_id", "text"],
  ["refused_at", "bigint"],
];

/** The devices are not asked for these texts again. */
export async function noteRefusedTexts(tx: MainTransaction, texts: readonly RefusedText[], now: number): Promise<void> {
  const rows = texts.map(({ deviceId, itemId }) => [deviceId, itemId, now]);
  await insertRows(tx, "discovery_refused_texts", REFUSED_COLUMNS, rows, "on conflict do nothing");
}

/** The items whose text each of these devices sent and that was refused. */
export async function refusedTextsOf(db: MainDb, deviceIds: readonly string[]): Promise<Map<string, Set<string>>> {
  const rows = await db
    .selectFrom("discovery_refused_texts")
    .select(["device_id", "item_id"])
    .where(sql<boolean>`device_id in ${idList(db, deviceIds)}`)
    .execute();
  const byDevice = Map.groupBy(rows, ({ device_id }) => device_id);
  return new Map([...byDevice].map(([id, of]) => [id, new Set(of.map(({ item_id }) => item_id))]));
}
