import { unknownReferences } from "#lib/errors";
import { findGroup } from "#records/groups";
import type { MainDb } from "#storage/database";

/** The groups with these names; unknown ones are named in the error. */
export async function knownGroupIds(db: MainDb, names: readonly string[]): Promise<string[]> {
  const groups = await Promise.all(names.map(async (name) => ({ name, id: (await findGroup(db, name))?.id })));
  const unknown = groups.filter(({ id }) => id === undefined).map(({ name }) => name);
  if (unknown.length > 0) throw unknownReferences("Groups", [...new Set(unknown)]);
  return [...new Set(groups.flatMap(({ id }) => id ?? []))];
}
