import { commandLinks } from "#records/groups";
import type { CommandRow } from "#storage/command-tables";
import type { MainDb } from "#storage/database";
import { type CommandDefinition, definitionOf } from "./definition.ts";

/** The part of an active command that the gateway needs. */
export interface PublishedCommand extends Pick<CommandRow, "id" | "slug" | "name"> {
  readonly definition: CommandDefinition;
  /** Slugs of the skills that the rendered text names. */
  readonly skills: readonly string[];
  readonly groupIds: readonly string[];
}

/** One page, by id, for a full build. The first page comes after "". */
export async function publishedCommandsAfter(db: MainDb, afterId: string, limit: number): Promise<PublishedCommand[]> {
  return complete(db, await activeCommands(db).where("id", ">", afterId).orderBy("id").limit(limit).execute());
}

/** At most 500 ids at a time. Drafts and deleted commands are missing from the result. */
export async function publishedCommandsByIds(db: MainDb, ids: readonly string[]): Promise<PublishedCommand[]> {
  return complete(db, await activeCommands(db).where("id", "in", ids).execute());
}

function activeCommands(db: MainDb) {
  return db.selectFrom("commands").selectAll().where("status", "=", "active");
}

async function complete(db: MainDb, rows: readonly CommandRow[]): Promise<PublishedCommand[]> {
  const groupIds = await commandLinks.groupsOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => ({
    ...{ id: row.id, slug: row.slug, name: row.name, definition: definitionOf(row) },
    skills: row.include_skills ? row.skills : [],
    groupIds: groupIds.get(row.id) ?? [],
  }));
}
