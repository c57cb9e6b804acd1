import { countByPepper } from "#records/credentials";
import type { MainDb } from "#storage/database";
import { countSealed, SEALED_COLUMNS, type SealedColumn } from "#storage/sealed-columns";

export interface SealedValues {
  /** Number of values sealed with a key; for a pepper, the number of verifiers. */
  of(key: { readonly purpose: string; readonly version: number }): number;
  /** Columns with values whose keys are missing. */
  readonly lost: ReadonlyArray<SealedColumn & { readonly count: number }>;
}

/**
 * Reads every sealed column once. Call payloads are not counted: they are in another database and expire within days.
 */
export async function countValuesByKey(
  db: MainDb,
  keys: ReadonlyArray<{ readonly purpose: string; readonly version: number }>,
): Promise<SealedValues> {
  const values = new Map<string, number>();
  const lost: (SealedColumn & { count: number })[] = [];
  const versionsOf = (wanted: string) => keys.filter(({ purpose }) => purpose === wanted).map(({ version }) => version);
  for (const sealed of SEALED_COLUMNS) {
    const { counts, underUnknownKeys } = await countSealed(db, sealed, versionsOf(sealed.purpose));
    for (const [version, count] of counts) {
      const key = `${sealed.purpose} ${version}`;
      values.set(key, (values.get(key) ?? 0) + count);
    }
    if (underUnknownKeys > 0) lost.push({ ...sealed, count: underUnknownKeys });
  }
  for (const [version, count] of await countByPepper(db)) values.set(`machine-pepper ${version}`, count);
  return { of: ({ purpose, version }) => values.get(`${purpose} ${version}`) ?? 0, lost };
}
