/** The rules of commands in the access model (F7). */
import type { ModelToolkit } from "./access-toolkits.ts";

interface NamedGroup {
  readonly name: string;
  readonly members: ReadonlySet<number>;
}

export interface ModelCommand {
  readonly slug: string;
  readonly active: boolean;
  /** May contain deleted groups. */
  readonly groups: Set<NamedGroup>;
}

export const COMMANDS = 2;
export const NAMES = ["", "-renamed"];
export const slugOf = (at: number, name = 0) => `command${at}${NAMES[name] ?? ""}`;

/** Every name that could ever have been a command. */
export const EVERY_COMMAND: readonly string[] = Array.from({ length: COMMANDS }, (_, at) =>
  NAMES.map((_name, name) => slugOf(at, name)),
).flat();

interface CommandView {
  readonly user: number;
  /** Those that exist. */
  readonly groups: readonly NamedGroup[];
  /** The selected one; null if the user cannot use it. */
  readonly toolkit: ModelToolkit | null | undefined;
}

/** The slugs of the commands that the user can list and get. */
export function reachedCommands(
  commands: readonly (ModelCommand | undefined)[],
  { user, groups, toolkit }: CommandView,
): string[] {
  const isInGroup = ({ groups: own }: ModelCommand) =>
    groups.some((group) => own.has(group) && group.members.has(user));
  const isReached = (command: ModelCommand) => {
    if (!toolkit) return toolkit === undefined && isInGroup(command);
    return (toolkit.commands?.has(command.slug) ?? false) && (toolkit.owner === undefined || isInGroup(command));
  };
  return commands.flatMap((command) => (command?.active && isReached(command) ? [command.slug] : []));
}
