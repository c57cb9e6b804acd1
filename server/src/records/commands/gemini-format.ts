/** Commands as TOML files of Gemini CLI, which has one placeholder: `{{args}}` for everything that the user types. */
import { parse, stringify, TomlError } from "smol-toml";
import { derivedArguments, escapeTemplate, parseTemplate, type TemplatePart } from "#lib/command-template";
import { invalid } from "#lib/errors";
import { definitionOf } from "./definition.ts";
import { fieldsOf, OWN_FIELD, objectOf, ownFields, titleOf } from "./file-fields.ts";
import type { CommandForm } from "./form.ts";

const ARGS = "{{args}}";
const MAX_DEPTH = 10;

/** Gemini CLI ignores the table at the end. */
export function exportGemini(command: CommandForm): string {
  const { description } = definitionOf(command);
  const prompt = promptOf(command);
  const own = {
    ...ownFields(command),
    ...(contentOf(prompt) !== command.content && { content: command.content }),
    ...(command.argument_hint !== null && { argument_hint: command.argument_hint }),
    ...(command.allowed_tools.length > 0 && { allowed_tools: command.allowed_tools }),
    ...(command.model !== null && { model: command.model }),
    ...(command.disable_model_invocation && { disable_model_invocation: true }),
    ...(command.skills.length > 0 && { skills: command.skills }),
  };
  const head = `description = ${basicString(description)}\nprompt = ${multilineString(prompt)}\n`;
  return `${head}\n${stringify({ [OWN_FIELD]: own })}`;
}

/**
 * Fields of a new command as the file has them; the caller must check them. The content of an exported file counts only
 * while its prompt is unchanged.
 */
export function importGemini(toml: string, slug: string | undefined): Record<string, unknown> {
  const { prompt, description, [OWN_FIELD]: table } = parsed(toml);
  if (typeof prompt !== "string") throw invalid("toml", "prompt must be a string");
  const own = objectOf(table);
  const declared = Array.isArray(own.arguments) ? own.arguments : null;
  const exported = typeof own.content === "string" ? own.content : undefined;
  const isUnchanged = exported !== undefined && promptOf({ content: exported, arguments: declared }) === prompt;
  const content = isUnchanged ? exported : contentOf(prompt);
  return fieldsOf({
    ...own,
    slug: slug ?? own.slug,
    name: own.name ?? slug ?? own.slug ?? titleOf(content),
    description,
    content,
  });
}

function parsed(toml: string): Record<string, unknown> {
  try {
    return parse(toml.replace(/^\uFEFF/, ""), { maxDepth: MAX_DEPTH, unsafeKeyBehaviour: "throw" });
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    throw invalid("toml", `must be valid TOML: line ${error.line}, column ${error.column}`);
  }
}

/** Everything except `{{args}}` is text to Gemini CLI. */
function contentOf(prompt: string): string {
  return prompt.split(ARGS).map(escapeTemplate).join("$ARGUMENTS");
}

interface PromptSource {
  readonly content: string;
  readonly arguments: { readonly length: number } | null;
}

/** With one argument, its value is all that the user types. */
function promptOf(command: PromptSource): string {
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
