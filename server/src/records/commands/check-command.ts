import { ARGUMENT_NAME, hasClientExpansion, placeholdersOf } from "#lib/command-template";
import type { CommandArgument } from "#lib/command-values";
import { invalid } from "#lib/errors";
import { type CommandText, definitionOf } from "./definition.ts";

export const MAX_CONTENT_BYTES = 64 * 1024;
export const MAX_ARGUMENTS = 20;
/** Words that have a meaning in names of the gateway. */
const RESERVED_SLUGS: readonly string[] = ["skills", "gateway"];
const CLIENT_EXPANSION = "content: shell or file expansion is performed by the client, not the gateway";

export function checkSlug(slug: string): void {
  if (isReservedSlug(slug)) throw invalid("slug", "is reserved");
}

export function isReservedSlug(slug: string): boolean {
  return RESERVED_SLUGS.includes(slug);
}

/** Throws for the first field that is wrong. Returns warnings. */
export function checkCommand(command: CommandText): string[] {
  if (Buffer.byteLength(command.content) > MAX_CONTENT_BYTES) {
    throw invalid("content", `must be at most ${MAX_CONTENT_BYTES / 1024} KiB`);
  }
  const { parts, arguments: declared } = definitionOf(command);
  const known = new Set(declared.map(({ name }) => name));
  // Placeholders become arguments if none are declared, so their names follow the same rule.
  const unknown = placeholdersOf(parts).find((name) => !known.has(name) || !ARGUMENT_NAME.test(name));
  if (unknown !== undefined) throw invalid("content", `unknown placeholder ${JSON.stringify(unknown)}`);
  checkArguments(declared);
  return hasClientExpansion(command.content) ? [CLIENT_EXPANSION] : [];
}

function checkArguments(declared: readonly CommandArgument[]): void {
  if (declared.length > MAX_ARGUMENTS) throw invalid("arguments", `must contain at most ${MAX_ARGUMENTS} arguments`);
  const names = new Set<string>();
  for (const [at, { name, default: value, enum: allowed }] of declared.entries()) {
    const field = `arguments.${at}`;
    if (!ARGUMENT_NAME.test(name)) {
      throw invalid(
        `${field}.name`,
        "must start with a lowercase letter, followed by at most 31 lowercase letters, digits and underscores",
      );
    }
    if (names.has(name)) throw invalid(`${field}.name`, `${JSON.stringify(name)} is declared twice`);
    names.add(name);
    if (value !== null && allowed && !allowed.includes(value)) {
      throw invalid(`${field}.default`, "must be one of the values in enum");
    }
  }
}
