/** Commands as TOML files of Gemini CLI, which has one placeholder: `{{args}}` for everything that the user types. */
import { derivedArguments, parseTemplate, type TemplatePart } from "#lib/command-template";
import { definitionOf } from "./definition.ts";
import type { CommandForm } from "./form.ts";

const ARGS = "{{args}}";

export function exportGemini(command: CommandForm): string {
  const { description } = definitionOf(command);
  return `description = ${basicString(description)}\nprompt = ${multilineString(promptOf(command))}\n`;
}

/** With one argument, its value is all that the user types. */
function promptOf(command: CommandForm): string {
  const parts = parseTemplate(command.content);
  const count = command.arguments?.length ?? derivedArguments(parts).length;
  return parts.map((part) => textOf(part, count)).join("");
}

function textOf(part: TemplatePart, count: number): string {
  if (part.kind === "text") return part.text;
  if (part.kind === "all" || count === 1) return part.kind === "position" && part.position > 1 ? part.source : ARGS;
  return part.kind === "named" ? `{{${part.name}}}` : part.source;
}

function basicString(text: string): string {
  const escaped = text.replace(/["\\]/g, "\\$&").replace(/\t/g, "\\t").replace(/\n/g, "\\n");
  return `"${escapeControls(escaped)}"`;
}

/** A line break after the opening quotes is not part of the text. */
function multilineString(text: string): string {
  const escaped = text.replace(/\\/g, "\\\\").replace(/"{3,}|"+$/g, (quotes) => quotes.replaceAll('"', '\\"'));
  return `"""\n${escapeControls(escaped)}"""`;
}

/** Everything except tabs and line feeds. */
function escapeControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: TOML forbids these characters.
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
