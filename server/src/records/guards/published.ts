import type { MainDb } from "#storage/database";
import type { GuardRow } from "#storage/guard-tables";

const COLUMNS = [
  "id",
  "builtin_key",
  "slug",
  "name",
  "description",
  "type",
  "enabled",
  "action",
  "threshold",
  "direction",
  "entity_types",
  "scope",
  "checks",
  "sealed_headers",
  "priority",
  "on_error",
  "message",
] as const;

/**
 * An enabled guard. Its scope names groups, servers and users by id; the headers of its webhooks are sealed (`openSecrets`,
 * `joinSecrets`).
 */
export type PublishedGuard = Pick<GuardRow, (typeof COLUMNS)[number]>;

/** One page, by id, for a full build. The first page comes after "". */
export async function publishedGuardsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedGuard[]> {
  return enabledGuards(db).where("id", ">", afterId).orderBy("id").limit(limit).execute();
}

/** At most 500 ids at a time. Disabled and deleted guards are missing from the result. */
export async function publishedGuardsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedGuard[]> {
  return enabledGuards(db).where("id", "in", ids).execute();
}

/** For evaluations outside of calls. */
export async function enabledGuardsOfType(db: MainDb, type: GuardRow["type"]): Promise<PublishedGuard[]> {
  return enabledGuards(db).where("type", "=", type).execute();
}

function enabledGuards(db: MainDb) {
  return db.selectFrom("guards").select(COLUMNS).where("enabled", "=", true);
}
