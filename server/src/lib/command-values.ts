/** Rendering of commands with the values that a caller sends, for the gateway and for previews (families 4). */
import { renderTemplate, type TemplateArgument, type TemplatePart } from "./command-template.ts";

export interface CommandArgument {
  name: string;
  description: string;
  required: boolean;
  default: string | null;
  /** The allowed values. Null: any text. */
  enum: string[] | null;
}

export interface CommandTemplate {
  readonly parts: readonly TemplatePart[];
  readonly arguments: readonly CommandArgument[];
}

const MAX_RENDERED_BYTES = 256 * 1024;

export function templateArguments(declared: readonly CommandArgument[]): TemplateArgument[] {
  return declared.map(({ name, default: value }) => (value === null ? { name } : { name, default: value }));
}

/** `skills` are the slugs of those that the reader can use. */
export function renderCommand(
  template: CommandTemplate,
  given: ReadonlyMap<string, string>,
  skills: readonly string[],
): { readonly text: string } | { readonly problem: string } {
  const problem = valueProblem(template.arguments, given);
  if (problem !== undefined) return { problem };
  const rendered = renderTemplate(template.parts, templateArguments(template.arguments), given);
  const uris = skills.map((slug) => `skill://${slug}/SKILL.md`).join(", ");
  const text = uris === "" ? rendered : `${rendered.trimEnd()}\n\nRelevant skills: ${uris}\n`;
  if (Buffer.byteLength(text) <= MAX_RENDERED_BYTES) return { text };
  return { problem: `Rendered prompt exceeds ${MAX_RENDERED_BYTES} bytes` };
}

/** The first problem in the order of the arguments. */
function valueProblem(declared: readonly CommandArgument[], given: ReadonlyMap<string, string>): string | undefined {
  for (const { name, required, enum: allowed } of declared) {
    const value = given.get(name);
    if (value === undefined) {
      if (required) return `Missing required argument: ${name}`;
    } else if (allowed && !allowed.includes(value)) {
      return `Invalid value for argument "${name}": expected one of ${allowed.join(", ")}`;
    }
  }
  return undefined;
}
