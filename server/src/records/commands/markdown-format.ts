/**
 * Commands as Markdown files of Claude Code and Cursor. Values that these formats do not have are in one field of the
 * front matter, which clients ignore, so that an exported command can be imported without loss.
 */
import { stringify } from "yaml";
import { rewriteTemplate } from "#lib/command-template";
import { invalid } from "#lib/errors";
import { parseFrontMatter } from "#records/skills";
import { definitionOf } from "./definition.ts";
import { fieldsOf, OWN_FIELD, objectOf, ownFields, titleOf } from "./file-fields.ts";
import type { CommandForm } from "./form.ts";

const FENCED = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m;
const MAX_FRONT_MATTER_BYTES = 64 * 1024;

export function exportClaude(command: CommandForm): string {
  const { description, arguments: declared, argument_hint: hint } = definitionOf(command);
  const positional = withPositions(command);
  const frontMatter = {
    description,
    ...(hint !== "" && { "argument-hint": hint }),
    ...(command.allowed_tools.length > 0 && { "allowed-tools": command.allowed_tools }),
    ...(command.model !== null && { model: command.model }),
    ...(command.disable_model_invocation && { "disable-model-invocation": true }),
    ...(command.skills.length > 0 && { skills: command.skills }),
    [OWN_FIELD]: {
      ...ownFields(command),
      ...(positional !== undefined && { named: declared.map(({ name }) => name) }),
    },
  };
  const yaml = stringify(frontMatter, { schema: "core", version: "1.2", lineWidth: 0, aliasDuplicateObjects: false });
  return `---\n${yaml}---\n\n${positional ?? command.content}`;
}

/** Cursor knows neither front matter nor placeholders: it adds what the user types after the text. */
export function exportCursor({ content }: CommandForm): string {
  return content;
}

/** Claude Code expands `$1` and not `{{name}}`. Undefined if there is nothing to rewrite, or if it cannot be undone. */
function withPositions(command: CommandForm): string | undefined {
  const names = definitionOf(command).arguments.map(({ name }) => name);
  const rewritten = rewriteTemplate(command.content, (part) => {
    const at = part.kind === "named" ? names.indexOf(part.name) + 1 : 0;
    return at >= 1 && at <= 9 ? `$${at}` : undefined;
  });
  return rewritten !== command.content && withNames(rewritten, names) === command.content ? rewritten : undefined;
}

function withNames(content: string, names: readonly string[]): string {
  return rewriteTemplate(content, (part) => {
    const name = part.kind === "position" ? names[part.position - 1] : undefined;
    return name === undefined ? undefined : `{{${name}}}`;
  });
}

/** Fields of a new command as the file has them; the caller must check them. Values that follow from the content are left out. */
export function importMarkdown(markdown: string, slug: string | undefined): Record<string, unknown> {
  const { frontMatter, body } = split(markdown);
  const own = objectOf(frontMatter[OWN_FIELD]);
  const names = textsOf(own.named);
  const content = names ? withNames(body, names) : body;
  return fieldsOf({
    slug: slug ?? own.slug,
    name: own.name ?? frontMatter.name ?? slug ?? own.slug ?? titleOf(content),
    description: frontMatter.description,
    content,
    arguments: own.arguments,
    argument_hint: frontMatter["argument-hint"],
    allowed_tools: frontMatter["allowed-tools"],
    model: frontMatter.model,
    disable_model_invocation: frontMatter["disable-model-invocation"],
    skills: frontMatter.skills,
    include_skills: own.include_skills,
  });
}

function split(markdown: string): { readonly frontMatter: Record<string, unknown>; readonly body: string } {
  const text = markdown.replace(/^\uFEFF/, "");
  if (!/^---[ \t]*\r?\n/.test(text)) return { frontMatter: {}, body: text };
  const match = FENCED.exec(text);
  if (match?.index !== 0) throw invalid("markdown", "front matter must end with a line of ---");
  const [fenced, yaml = ""] = match;
  if (Buffer.byteLength(yaml) > MAX_FRONT_MATTER_BYTES) {
    throw invalid("markdown", `front matter must be at most ${MAX_FRONT_MATTER_BYTES / 1024} KiB`);
  }
  const frontMatter = yaml.trim() === "" ? {} : parseFrontMatter(withQuotedHint(yaml));
  if (typeof frontMatter === "string") throw invalid("markdown", frontMatter);
  return { frontMatter, body: text.slice(fenced.length).replace(/^\r?\n/, "") };
}

/** Authors write `argument-hint: [a] [b]`, which is no YAML, and mean the text. */
function withQuotedHint(yaml: string): string {
  return yaml.replace(
    /^(argument-hint:[ \t]*)(\[.*?)[ \t]*(\r?)$/m,
    (_line, key: string, hint: string, end: string) => {
      return `${key}${JSON.stringify(hint)}${end}`;
    },
  );
}

function textsOf(value: unknown): string[] | undefined {
  return Array.isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}
