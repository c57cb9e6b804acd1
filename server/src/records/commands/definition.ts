/** The values of a command that follow from its content if they are not set. */
import { ALL_ARGUMENTS, derivedArguments, parseTemplate, takesOneText } from "#lib/command-template";
import { type CommandArgument, type CommandTemplate, templateArguments } from "#lib/command-values";
import type { CommandRow } from "#storage/command-tables";

const MAX_DERIVED_DESCRIPTION = 120;

export type CommandText = Pick<CommandRow, "content" | "description" | "arguments" | "argument_hint">;

export interface CommandDefinition extends CommandTemplate {
  readonly description: string;
  readonly argument_hint: string;
}

export function definitionOf(command: CommandText): CommandDefinition {
  const parts = parseTemplate(command.content);
  const declared = command.arguments ?? derivedArguments(parts).map(optionalArgument);
  const listed = listedArguments({ parts, arguments: declared });
  return {
    description: command.description ?? firstLine(command.content),
    arguments: declared,
    argument_hint: command.argument_hint ?? listed.map(({ name }) => `[${name}]`).join(" "),
    parts,
  };
}

/** The arguments that callers can send: the declared ones, or one text for `$ARGUMENTS`. */
export function listedArguments({ parts, arguments: declared }: CommandTemplate): readonly CommandArgument[] {
  return takesOneText(parts, templateArguments(declared)) ? [optionalArgument(ALL_ARGUMENTS)] : declared;
}

function optionalArgument(name: string): CommandArgument {
  return { name, description: "", required: false, default: null, enum: null };
}

function firstLine(content: string): string {
  const line = content.split(/\r?\n/).find((text) => text.trim() !== "");
  return (line ?? "").trim().slice(0, MAX_DERIVED_DESCRIPTION).toWellFormed();
}
