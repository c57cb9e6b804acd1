import { itemId, itemsWithText, refusedTextsOf } from "#records/discovery";
import type { Settings } from "#records/settings";
import type { MainDb } from "#storage/database";
import type { IngestResult } from "./sent-report.ts";

/** More are requested with the next report. */
const MOST_WANTED = 500;

/** For each report, the digests of its skills whose texts are missing and were not refused (decisions 0183 and 0192). */
export async function wantedTexts(
  db: MainDb,
  results: readonly IngestResult[],
  { discovery_skill_texts: areStored }: Pick<Settings, "discovery_skill_texts">,
): Promise<string[][]> {
  if (!areStored) return results.map(() => []);
  const digests = results.map(
    ({ decisions }) => new Set(decisions.flatMap(({ kind, key }) => (kind === "skill" ? [key] : []))),
  );
  const all = new Set(digests.flatMap((each) => [...each]));
  const stored = await itemsWithText(
    db,
    [...all].map((digest) => itemId("skill", digest)),
  );
  const refused = await refusedTextsOf(
    db,
    results.map(({ deviceId }) => deviceId),
  );
  return results.map(({ deviceId }, index) => {
    const isRefused = (id: string) => refused.get(deviceId)?.has(id) ?? false;
    const isMissing = (id: string) => !stored.has(id) && !isRefused(id);
    return [...(digests[index] ?? [])].filter((digest) => isMissing(itemId("skill", digest))).slice(0, MOST_WANTED);
  });
}
