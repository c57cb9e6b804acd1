/** Everything that a command line installs or runs. A policy decides about each of them (decision 0255). */
import { assignedNames, changingVariables } from "./changing-variables.ts";
import { type ResolvedCommand, resolveCommand, runsCode, startsCommands } from "./command-identity.ts";
import { wordsOf } from "./command-words.ts";
import type { CommandIdentity } from "./package-spec.ts";
import { programName } from "./program-name.ts";
import { MAX_ARG_LENGTH, MAX_ARGS } from "./redact.ts";

export interface CommandPart extends CommandIdentity {
  /** What starts it, beginning with the program of the command line. */
  readonly programs: readonly string[];
}

/** Longer command lines do not occur, and the text comes from devices. */
const MOST_CHARACTERS = 16_384;
const MOST_MENTIONS = 32;
/** Read after the name of a program. */
const WORDS_OF_A_MENTION = 64;
/** Run what follows them without another word, so that the rest is unknown if it cannot be read. */
const DIRECT_RUNNERS = new Set(["npx", "pnpx", "bunx", "uvx"]);

/** The first part is the command itself. `variables` are names that the client sets for it. */
export function partsOfCommand(
  command: string,
  args: readonly string[],
  variables: readonly string[] = [],
): readonly [CommandPart, ...CommandPart[]] {
  const resolved = resolveCommand(command, args);
  const { main, programs } = resolved;
  const names = changingVariables([...variables, ...assignedNames([command, ...args])]);
  const also = [
    ...partsBesides(resolved),
    ...(names.length > 0 ? [{ identity: `variables:${names.join(",")}`, programs }] : []),
    ...mentionedIn(resolved, isCut(args)),
  ];
  return [{ ...main, programs }, ...new Map(also.map((part) => [part.identity, part])).values()].filter(
    (part, at) => at === 0 || part.identity !== main.identity,
  ) as [CommandPart, ...CommandPart[]];
}

/** Two command lines with the same identity run the same, as far as a policy can see. */
export function identityOf(command: string, args: readonly string[]): string {
  const [main, ...also] = partsOfCommand(command, args);
  const { isUnknown, args: rest } = resolveCommand(command, args);
  const first = isUnknown ? `${main.identity} ${JSON.stringify(rest)}` : main.identity;
  return [first, ...also.map(({ identity }) => identity).sort()].join(" + ");
}

function partsBesides({ also = [], starts = [], relative, programs }: ResolvedCommand): CommandPart[] {
  const [program = "", ...rest] = starts;
  const isOther = /[/\\]/.test(program) || startsCommands(programName(program));
  const started = isOther ? resolveCommand(program, rest) : undefined;
  return [
    ...also.map((each) => ({ ...each, programs })),
    ...(started ? [{ ...started.main, programs: [...programs, ...started.programs] }] : []),
    ...relative.filter(startsCommands).map((name) => ({ identity: `script:${name}`, programs })),
  ];
}

/** Commands in the arguments, such as in `sh -c "npx server"` and `docker run image npx server`. */
function mentionedIn({ args, programs, isUnknown }: ResolvedCommand, isCut: boolean): CommandPart[] {
  const isTooLong = args.reduce((sum, arg) => sum + arg.length, 0) > MOST_CHARACTERS;
  const read = isTooLong ? [args.join("\n").slice(0, MOST_CHARACTERS)] : args;
  const words = wordsOf(read, programs);
  const positions = words.flatMap((word, at) => (startsCommands(mentionedProgram(word)) ? [at] : []));
  const isIncomplete = isCut || isTooLong || positions.length > MOST_MENTIONS;
  const mentions = positions
    .slice(0, MOST_MENTIONS)
    .flatMap((at) => partsOfMention(words.slice(at, at + WORDS_OF_A_MENTION), programs));
  return isIncomplete && !isUnknown ? [...mentions, { identity: "code:too many commands", programs }] : mentions;
}

/** A report does not contain what follows. */
function isCut(args: readonly string[]): boolean {
  return args.length >= MAX_ARGS || args.some((arg) => arg.length >= MAX_ARG_LENGTH);
}

function partsOfMention([word = "", ...rest]: readonly string[], programs: readonly string[]): CommandPart[] {
  const program = mentionedProgram(word);
  const { main, also = [], isUnknown, programs: started } = resolveCommand(program, rest);
  const chain = [...programs, ...started];
  const packages = [main, ...also].filter((each) => each.package !== undefined && each.package.type !== "binary");
  const isCode = isUnknown && (runsCode(program, rest) || (DIRECT_RUNNERS.has(program) && rest.length > 0));
  const code = isCode ? [{ identity: `code:${program} ${rest.join(" ")}` }] : [];
  return [...packages, ...code].map((each) => ({ ...each, programs: chain }));
}

/** Also `--stdio=npx`, and npm's scripts, which Windows needs: `node npx-cli.js server`. */
function mentionedProgram(word: string): string {
  return programName(word.slice(word.lastIndexOf("=") + 1)).replace(/^(np[mx])-cli\.js$/, "$1");
}
