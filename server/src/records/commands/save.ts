import { unknownReferences } from "#lib/errors";
import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";
import { findSkillsBySlug } from "#records/skills";
import type { CommandRow } from "#storage/command-tables";
import type { MainTransaction } from "#storage/database";
import type { WriteTrail } from "#storage/transaction";
import { checkCommand, checkSlug } from "./check-command.ts";
import { argumentOf, type GivenCommand } from "./form.ts";
import { insertCommand, updateCommand } from "./store.ts";

export interface SavedCommand {
  readonly row: CommandRow;
  readonly warnings: string[];
}

interface NewCommand {
  readonly id: string;
  readonly now: number;
  readonly name: string;
  readonly content: string;
}

export async function createCommand(
  tx: MainTransaction,
  trail: WriteTrail,
  { id, now, name, content }: NewCommand,
  given: GivenCommand,
): Promise<SavedCommand> {
  if (given.slug !== undefined) checkSlug(given.slug);
  const row: CommandRow = {
    ...{ id, slug: slugFromName(name, "command", LONG_SLUG_MAX_LENGTH), name, search_text: "" },
    ...{ description: null, content, arguments: null, argument_hint: null, allowed_tools: [], model: null },
    ...{ disable_model_invocation: false, skills: [], include_skills: false, status: "draft" as const },
    ...{ created_at: now, updated_at: now, ...valuesOf(given) },
  };
  const warnings = checkCommand(row);
  await checkSkills(tx, row.skills);
  return { row: await insertCommand(tx, trail, row), warnings };
}

/** `before` is the locked row. Toolkits that name the command must follow it to a new slug. */
export async function changeCommand(
  tx: MainTransaction,
  trail: WriteTrail,
  before: CommandRow,
  given: GivenCommand,
  now: number,
): Promise<SavedCommand> {
  const changes = { ...valuesOf(given), updated_at: now };
  const { slug = before.slug } = changes;
  if (slug !== before.slug) checkSlug(slug);
  const warnings = checkCommand({ ...before, ...changes });
  await checkSkills(
    tx,
    (changes.skills ?? []).filter((skill) => !before.skills.includes(skill)),
  );
  const row = await updateCommand(tx, trail, before, changes);
  return { row, warnings };
}

function valuesOf(given: GivenCommand) {
  const { slug, name, description, content, arguments: declared, argument_hint: hint, model, status } = given;
  const { allowed_tools: tools, skills, disable_model_invocation: disabled, include_skills: included } = given;
  return {
    ...(slug !== undefined && { slug }),
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: textOrNull(description) }),
    ...(content !== undefined && { content }),
    ...(declared !== undefined && { arguments: declared?.map(argumentOf) ?? null }),
    ...(hint !== undefined && { argument_hint: textOrNull(hint) }),
    ...(tools !== undefined && { allowed_tools: [...new Set(tools ?? [])] }),
    ...(model !== undefined && { model: textOrNull(model) }),
    ...(disabled !== undefined && { disable_model_invocation: disabled }),
    ...(skills !== undefined && { skills: [...new Set(skills ?? [])] }),
    ...(included !== undefined && { include_skills: included }),
    ...(status !== undefined && { status }),
  };
}

function textOrNull(text: string | null): string | null {
  return text === null || text.trim() === "" ? null : text;
}

async function checkSkills(tx: MainTransaction, slugs: readonly string[]): Promise<void> {
  const found = await findSkillsBySlug(tx, slugs);
  const unknown = slugs.filter((slug) => !found.some((skill) => skill.slug === slug));
  if (unknown.length > 0) throw unknownReferences("Skills", unknown);
}
