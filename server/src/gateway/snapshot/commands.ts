/** Commands as the gateway uses them. */
import type { CommandArgument, CommandTemplate } from "#lib/command-values";
import type { ListedItem } from "./listing.ts";

/** An active command. */
export interface CommandEntry {
  readonly id: string;
  readonly slug: string;
  readonly description: string;
  readonly template: CommandTemplate;
  /** What callers can send. */
  readonly listed: readonly CommandArgument[];
  /** The arguments that a request can contain; others are ignored. */
  readonly names: ReadonlySet<string>;
  /** Slugs of the skills that the rendered text names. */
  readonly skills: readonly string[];
  /** May contain ids of deleted groups. */
  readonly groupIds: ReadonlySet<string>;
  /** JSON text of its entry in `prompts/list`, without the name. */
  readonly definition: string;
  /** For decisions, which need no position in a list. */
  readonly item: ListedItem & { readonly slug: string; readonly upstreamName: string };
}

/** Replaced entirely, because commands change rarely. */
export interface Commands {
  readonly byId: ReadonlyMap<string, CommandEntry>;
  readonly bySlug: ReadonlyMap<string, CommandEntry>;
  /** By slug. */
  readonly sorted: readonly CommandEntry[];
}

export const NO_COMMANDS: Commands = { byId: new Map(), bySlug: new Map(), sorted: [] };

/** Undefined removes a command. */
export function nextCommands(
  { byId: before }: Commands,
  changes: ReadonlyMap<string, CommandEntry | undefined>,
): Commands {
  const byId = new Map(before);
  for (const [id, entry] of changes) {
    if (entry) byId.set(id, entry);
    else byId.delete(id);
  }
  const sorted = [...byId.values()].sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return { byId, bySlug: new Map(sorted.map((command) => [command.slug, command])), sorted };
}
