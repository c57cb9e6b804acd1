import type { z } from "zod";
import { isoTime } from "#api/kit/answers";
import { definitionOf } from "#records/commands";
import { commandLinks } from "#records/groups";
import type { CommandRow } from "#storage/command-tables";
import type { MainDb } from "#storage/database";
import type { Command } from "./schema.ts";

export type PresentedCommand = z.input<typeof Command>;

export async function presentCommands(db: MainDb, rows: readonly CommandRow[]): Promise<PresentedCommand[]> {
  const groups = await commandLinks.groupNamesOf(
    db,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => presented(row, groups.get(row.id) ?? []));
}

export async function presentCommand(db: MainDb, row: CommandRow): Promise<PresentedCommand> {
  const groups = await commandLinks.groupNamesOf(db, [row.id]);
  return presented(row, groups.get(row.id) ?? []);
}

function presented(row: CommandRow, groups: readonly string[]): PresentedCommand {
  const { description, argument_hint, arguments: declared } = definitionOf(row);
  return {
    ...{ id: row.id, slug: row.slug, name: row.name, description, content: row.content },
    ...{ arguments: [...declared], argument_hint, allowed_tools: row.allowed_tools, model: row.model },
    ...{ disable_model_invocation: row.disable_model_invocation, skills: row.skills },
    ...{ include_skills: row.include_skills, status: row.status, groups: [...groups] },
    ...{ created_at: isoTime(row.created_at), updated_at: isoTime(row.updated_at) },
  };
}
