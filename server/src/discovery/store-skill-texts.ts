import { insertSkillTexts, itemsWithText, noteRefusedTexts } from "#records/discovery";
import { readSettings } from "#records/settings";
import type { MainTransaction } from "#storage/database";
import type { DiscoveryInstanceRow } from "#storage/discovery-tables";
import type { FoundItem } from "./report.ts";

interface FoundInstance {
  readonly row: Pick<DiscoveryInstanceRow, "item_id" | "device_id">;
  readonly found: FoundItem | undefined;
}

/** Only if the organization accepts texts. A device is not asked again for a text that was refused (decision 0192). */
export async function storeSkillTexts(
  tx: MainTransaction,
  instances: readonly FoundInstance[],
  now: number,
): Promise<void> {
  const texts = new Map(
    instances.flatMap(({ row, found }) => (found?.skillMd ? [[row.item_id, found.skillMd] as const] : [])),
  );
  const refused = instances.flatMap(({ row, found }) =>
    found?.hasWrongText ? [{ deviceId: row.device_id, itemId: row.item_id }] : [],
  );
  if (texts.size + refused.length === 0 || !(await readSettings(tx)).discovery_skill_texts) return;
  const stored = await itemsWithText(tx, [...texts.keys()]);
  for (const id of stored) texts.delete(id);
  await insertSkillTexts(tx, texts, now);
  if (refused.length > 0) await noteRefusedTexts(tx, refused, now);
}
