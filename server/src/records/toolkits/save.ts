import { invalid, unknownReferences } from "#lib/errors";
import { LONG_SLUG_MAX_LENGTH, slugFromName } from "#lib/slug";
import { commandsOfUser, findCommandsBySlug } from "#records/commands";
import { findSkillsBySlug, skillsOfUser } from "#records/skills";
import type { MainTransaction } from "#storage/database";
import type { ToolkitPrompt, ToolkitResource, ToolkitRow } from "#storage/toolkit-tables";
import type { WriteTrail } from "#storage/transaction";
import { type GivenTool, toolkitTool } from "./check-entries.ts";
import { checkToolkit, toolkitWarnings } from "./check-toolkit.ts";
import { type KnownServers, lockServersOf } from "./known-servers.ts";
import { insertToolkit, updateToolkit } from "./store.ts";

/** Undefined keeps the value, and null clears it. */
export interface GivenToolkit {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly instructions?: string | null | undefined;
  readonly status?: ToolkitRow["status"] | undefined;
  readonly least_privilege?: boolean | undefined;
  readonly tools?: readonly GivenTool[] | undefined;
  readonly prompts?: readonly ToolkitPrompt[] | undefined;
  readonly resources?: readonly ToolkitResource[] | undefined;
  /** Slugs. */
  readonly skills?: readonly string[] | undefined;
  /** Slugs. */
  readonly commands?: readonly string[] | undefined;
}

/** What the owner of a toolkit may know about servers; everything for toolkits of the organization. */
export type LimitKnown = (known: KnownServers) => KnownServers;

export interface SavedToolkit {
  readonly row: ToolkitRow;
  /** F45: entries that were saved although they have no effect now. */
  readonly warnings: readonly string[];
}

interface NewToolkit {
  readonly id: string;
  readonly slug?: string | undefined;
  readonly name: string;
  readonly ownerId: string | null;
  readonly now: number;
}

export async function createToolkit(
  tx: MainTransaction,
  trail: WriteTrail,
  { id, slug, name, ownerId, now }: NewToolkit,
  given: GivenToolkit,
  limit: LimitKnown = (known) => known,
): Promise<SavedToolkit> {
  const row: ToolkitRow = {
    ...{ id, slug: slug ?? slugFromName(name, "toolkit", LONG_SLUG_MAX_LENGTH), name, search_text: "" },
    ...{ description: "", instructions: "", status: "draft" as const, least_privilege: false, owner_id: ownerId },
    ...{ tools: [], prompts: [], resources: [], skills: [], commands: [], created_at: now, updated_at: now },
    ...valuesOf(given),
  };
  const known = limit(await lockServersOf(tx, row));
  const named = { ...row, tools: byServerNames(row.tools, known) };
  checkToolkit(named, known);
  await checkSkills(tx, named);
  await checkCommands(tx, named);
  const stored = await insertToolkit(tx, trail, named);
  return { row: { ...named, slug: stored }, warnings: toolkitWarnings(named, known) };
}

/** `before` is the locked row. */
export async function changeToolkit(
  tx: MainTransaction,
  trail: WriteTrail,
  before: ToolkitRow,
  given: GivenToolkit,
  now: number,
  limit: LimitKnown = (known) => known,
): Promise<SavedToolkit> {
  const values = { ...valuesOf(given), updated_at: now };
  const known = limit(await lockServersOf(tx, { ...before, ...values }));
  const changes = { ...values, ...(values.tools && { tools: byServerNames(values.tools, known) }) };
  const after = { ...before, ...changes };
  checkToolkit(after, known, before);
  await checkSkills(tx, after, before);
  await checkCommands(tx, after, before);
  const row = await updateToolkit(tx, trail, before, changes);
  return { row, warnings: toolkitWarnings(row, known) };
}

function valuesOf({ tools, prompts, resources, skills, commands, name, ...given }: GivenToolkit) {
  return {
    ...(name !== undefined && { name }),
    ...(given.description !== undefined && { description: given.description ?? "" }),
    ...(given.instructions !== undefined && { instructions: given.instructions ?? "" }),
    ...(given.status !== undefined && { status: given.status }),
    ...(given.least_privilege !== undefined && { least_privilege: given.least_privilege }),
    ...(tools && { tools: tools.map(toolkitTool) }),
    ...(prompts && { prompts: prompts.map(({ server, name: prompt }) => ({ server, name: prompt })) }),
    ...(resources && { resources: resources.map(({ server, uri }) => ({ server, uri })) }),
    ...(skills && { skills: [...new Set(skills)] }),
    ...(commands && { commands: [...new Set(commands)] }),
  };
}

/** For a user, skills out of reach do not exist. Skills that the toolkit named `before` may be gone by now. */
async function checkSkills(tx: MainTransaction, after: ToolkitRow, before?: ToolkitRow): Promise<void> {
  const added = after.skills.filter((slug) => !before?.skills.includes(slug));
  if (added.length === 0) return;
  const found = after.owner_id === null ? await findSkillsBySlug(tx, added) : await skillsOfUser(tx, after.owner_id);
  const unknown = added.filter((slug) => !found.some((skill) => skill.slug === slug));
  if (unknown.length > 0) throw unknownReferences("Skills", unknown);
}

/** The same for commands. */
async function checkCommands(tx: MainTransaction, after: ToolkitRow, before?: ToolkitRow): Promise<void> {
  const added = after.commands.filter((slug) => !before?.commands.includes(slug));
  if (added.length === 0) return;
  const found =
    after.owner_id === null ? await findCommandsBySlug(tx, added) : await commandsOfUser(tx, after.owner_id);
  const unknown = added.filter((slug) => !found.some((command) => command.slug === slug));
  if (unknown.length > 0) throw unknownReferences("Commands", unknown);
}

/** Tools may be given by slug, which differs from the server's name if clients do not accept that name. */
function byServerNames(tools: ToolkitRow["tools"], known: KnownServers): ToolkitRow["tools"] {
  return tools.map((entry) => {
    const listed = known.get(entry.server)?.tools;
    if (!listed || listed.has(entry.tool)) return entry;
    const named = [...listed.values()].find(({ slug }) => slug === entry.tool);
    return named ? { ...entry, tool: named.upstream_name } : entry;
  });
}

/** F45: replaces the entry with the same server and tool, selected by the alias if there are several, or adds it. */
export function withTools(before: ToolkitRow["tools"], added: readonly GivenTool[]): ToolkitRow["tools"] {
  const tools = [...before];
  for (const [at, given] of added.entries()) {
    const entry = toolkitTool(given);
    const same = tools.flatMap(({ server, tool }, i) => (server === entry.server && tool === entry.tool ? [i] : []));
    const chosen = same.length < 2 ? same[0] : same.find((i) => tools[i]?.alias === entry.alias);
    if (chosen !== undefined) tools[chosen] = entry;
    else if (same.length > 1 && entry.alias === undefined) {
      throw invalid(`tools.${at}.alias`, `${entry.server} ${entry.tool} has several entries; name the one to replace`);
    } else tools.push(entry);
  }
  return tools;
}
