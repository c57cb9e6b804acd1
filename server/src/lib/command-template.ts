/** Templates of commands (families 4). Values are inserted as they are and never expanded again. */

export interface TemplateArgument {
  readonly name: string;
  readonly default?: string | undefined;
}

export type TemplatePart =
  | { readonly kind: "text"; readonly text: string }
  /** `{{name}}` */
  | { readonly kind: "named"; readonly name: string }
  /** `$1` to `$9`; `source` is kept because there may be fewer arguments. */
  | { readonly kind: "position"; readonly position: number; readonly source: string }
  /** `$ARGUMENTS` */
  | { readonly kind: "all" };

/** The argument that has the text for `$ARGUMENTS`. */
export const ALL_ARGUMENTS = "arguments";
export const ARGUMENT_NAME = /^[a-z][a-z0-9_]{0,31}$/;

/** In this order: an escaped placeholder, a placeholder, an escaped `$`, all arguments, one argument by its position. */
const EXPRESSION = /\\\{\{|\{\{([^{}\n]*)\}\}|\$\$|\$ARGUMENTS\b|\$([1-9])/g;

export function parseTemplate(content: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let at = 0;
  for (const match of content.matchAll(EXPRESSION)) {
    addText(parts, content.slice(at, match.index));
    at = match.index + match[0].length;
    parts.push(partOf(match));
  }
  addText(parts, content.slice(at));
  return parts;
}

function partOf([source = "", name, digit]: readonly (string | undefined)[]): TemplatePart {
  if (source === "\\{{") return { kind: "text", text: "{{" };
  if (source === "$$") return { kind: "text", text: "$" };
  if (name !== undefined) return { kind: "named", name: name.trim() };
  return digit === undefined ? { kind: "all" } : { kind: "position", position: Number(digit), source };
}

/** Replaces placeholders in the source of a template; undefined keeps one. Escapes stay as they are. */
export function rewriteTemplate(content: string, replace: (part: TemplatePart) => string | undefined): string {
  return content.replace(EXPRESSION, (...match: (string | undefined)[]) => {
    const part = partOf(match);
    return (part.kind === "text" ? undefined : replace(part)) ?? match[0] ?? "";
  });
}

function addText(parts: TemplatePart[], text: string): void {
  if (text !== "") parts.push({ kind: "text", text });
}

/** The names of placeholders, in the order of their first use. */
export function placeholdersOf(parts: readonly TemplatePart[]): string[] {
  return [...new Set(parts.flatMap((part) => (part.kind === "named" ? [part.name] : [])))];
}

/** Arguments for a template that declares none: its placeholders, or `arg1` and so on for positions. */
export function derivedArguments(parts: readonly TemplatePart[]): string[] {
  const named = placeholdersOf(parts);
  if (named.length > 0) return named;
  const positions = parts.flatMap((part) => (part.kind === "position" ? [part.position] : []));
  return Array.from({ length: Math.max(0, ...positions) }, (_, n) => `arg${n + 1}`);
}

/** Whether the template takes all arguments as one text without naming any. */
export function takesOneText(parts: readonly TemplatePart[], declared: readonly TemplateArgument[]): boolean {
  return declared.length === 0 && parts.some(({ kind }) => kind === "all");
}

/** A declared argument without a value has its default, or is empty. */
export function renderTemplate(
  parts: readonly TemplatePart[],
  declared: readonly TemplateArgument[],
  given: ReadonlyMap<string, string>,
): string {
  const chosen = (argument: TemplateArgument) => given.get(argument.name) ?? argument.default;
  const byName = new Map(declared.map((argument) => [argument.name, chosen(argument) ?? ""]));
  const all = () =>
    (given.size === 1 ? given.get(ALL_ARGUMENTS) : undefined) ??
    declared.flatMap((argument) => chosen(argument) ?? []).join(" ");
  const textOf = (part: TemplatePart): string => {
    switch (part.kind) {
      case "text":
        return part.text;
      case "named":
        return byName.get(part.name) ?? "";
      case "position": {
        const argument = declared[part.position - 1];
        return argument ? (chosen(argument) ?? "") : part.source;
      }
      case "all":
        return all();
    }
  };
  return parts.map(textOf).join("");
}

/** Text in which nothing is expanded; the reverse of `parseTemplate` for text. */
export function escapeTemplate(text: string): string {
  return text.replace(/\$/g, "$$$$").replace(/\{\{/g, "\\{{");
}

/** Clients can run `` !`command` `` and read `@path`; the gateway never does. */
export function hasClientExpansion(content: string): boolean {
  return /!`[^`\n]+`/.test(content) || /(^|\s)@[\w./~-]*[/.][\w./~-]*/m.test(content);
}
