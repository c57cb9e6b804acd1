import { ALL_ARGUMENTS } from "#lib/command-template";
import type { CommandArgument, CommandTemplate } from "#lib/command-values";
import type { CommandEntry } from "./commands.ts";

/** An active command as it is stored. */
export interface CommandContent {
  readonly id: string;
  readonly slug: string;
  readonly name: string;
  readonly definition: CommandTemplate & { readonly description: string };
  /** What callers can send. */
  readonly listed: readonly CommandArgument[];
  readonly skills: readonly string[];
  readonly groupIds: readonly string[];
}

export function compileCommand(row: CommandContent, shareGroupId: (id: string) => string = (id) => id): CommandEntry {
  const { id, slug, name, definition, listed, skills } = row;
  const { description, parts, arguments: declared } = definition;
  return {
    ...{ id, slug, description, template: { parts, arguments: declared }, listed, skills },
    names: new Set([...listed.map((argument) => argument.name), ALL_ARGUMENTS]),
    groupIds: new Set(row.groupIds.map(shareGroupId)),
    definition: JSON.stringify({ title: name, description, arguments: listed.map(promptArgument) }),
    item: { slug, upstreamName: slug, start: 0, rest: 0, end: 0 },
  };
}

function promptArgument({ name, description, required }: CommandArgument) {
  return { name, ...(description !== "" && { description }), required };
}
