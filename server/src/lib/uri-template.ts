/**
 * Matches URIs against URI templates (RFC 6570) to find the responsible server. The match is approximate, because the
 * upstream checks the URI again. Time is bounded by parts × length for any input.
 */

/** A placeholder for values. */
interface Placeholder {
  /** The operator before the values if there are any; "" if values are required. */
  readonly lead: string;
  /** Whether the values can contain slashes. */
  readonly slashes: boolean;
}

/** Alternating texts and placeholders. */
export type TemplateParts = readonly (string | Placeholder)[];

const MAX_PLACEHOLDERS = 16;
const MAX_URI_LENGTH = 2_048;
const EXPRESSION = /\{([+#./;?&]?)[A-Za-z0-9_.,:*%]+\}/y;

/** Undefined if the template is not supported. */
export function parseTemplate(template: string): TemplateParts | undefined {
  const parts: (string | Placeholder)[] = [];
  let at = 0;
  let placeholders = 0;
  while (at < template.length) {
    const open = template.indexOf("{", at);
    const text = template.slice(at, open === -1 ? undefined : open);
    if (text.includes("}")) return undefined;
    if (text !== "") parts.push(text);
    if (open === -1) break;
    EXPRESSION.lastIndex = open;
    const expression = EXPRESSION.exec(template);
    if (!expression || ++placeholders > MAX_PLACEHOLDERS) return undefined;
    parts.push(placeholderOf(expression[1] ?? ""));
    at = EXPRESSION.lastIndex;
  }
  return parts;
}

function placeholderOf(operator: string): Placeholder {
  if (operator === "" || operator === "+") return { lead: "", slashes: operator === "+" };
  return { lead: operator, slashes: operator !== "." };
}

export function matchesTemplate(parts: TemplateParts, uri: string): boolean {
  if (uri.length > MAX_URI_LENGTH) return false;
  let reached = new Uint8Array(uri.length + 1);
  reached[0] = 1;
  for (const part of parts) {
    reached = typeof part === "string" ? throughText(reached, uri, part) : throughPlaceholder(reached, uri, part);
    // Most templates fail at their first text.
    if (!reached.includes(1)) return false;
  }
  return reached[uri.length] === 1;
}

/** The positions in the URI that are possible after the part, from the positions possible before it. */
function throughText(reached: Uint8Array, uri: string, text: string) {
  const next = new Uint8Array(reached.length);
  for (let at = reached.indexOf(1); at !== -1; at = reached.indexOf(1, at + 1)) {
    if (uri.startsWith(text, at)) next[at + text.length] = 1;
  }
  return next;
}

function throughPlaceholder(reached: Uint8Array, uri: string, { lead, slashes }: Placeholder) {
  const next = new Uint8Array(reached.length);
  let inside = false;
  for (let at = 0; at < reached.length; at++) {
    inside &&= slashes || uri[at - 1] !== "/";
    const begins = lead === "" ? reached[at] === 1 : at > 0 && reached[at - 1] === 1 && uri[at - 1] === lead;
    if (inside || (lead !== "" && (begins || reached[at] === 1))) next[at] = 1;
    inside ||= begins;
  }
  return next;
}
