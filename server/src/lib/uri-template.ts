/**
 * URI templates (RFC 6570) read backwards: could this address have come of that template? Only as exactly as it takes to
 * find the server that is meant; the upstream judges for itself. Time is bounded by parts × length, whatever they say.
 */

/** A place for values. */
interface Hole {
  /** What stands before the values when there are any; "" when values must be there. */
  readonly lead: string;
  /** Whether the values may hold slashes. */
  readonly slashes: boolean;
}

/** Texts and holes in turn. */
export type TemplateParts = readonly (string | Hole)[];

const MOST_HOLES = 16;
const LONGEST_ADDRESS = 2_048;
const EXPRESSION = /\{([+#./;?&]?)[A-Za-z0-9_.,:*%]+\}/y;

/** Undefined: not a template that we can match. */
export function parseTemplate(template: string): TemplateParts | undefined {
  const parts: (string | Hole)[] = [];
  let at = 0;
  let holes = 0;
  while (at < template.length) {
    const open = template.indexOf("{", at);
    const text = template.slice(at, open === -1 ? undefined : open);
    if (text.includes("}")) return undefined;
    if (text !== "") parts.push(text);
    if (open === -1) break;
    EXPRESSION.lastIndex = open;
    const expression = EXPRESSION.exec(template);
    if (!expression || ++holes > MOST_HOLES) return undefined;
    parts.push(holeOf(expression[1] ?? ""));
    at = EXPRESSION.lastIndex;
  }
  return parts;
}

function holeOf(operator: string): Hole {
  if (operator === "" || operator === "+") return { lead: "", slashes: operator === "+" };
  return { lead: operator, slashes: operator !== "." };
}

export function matchesTemplate(parts: TemplateParts, address: string): boolean {
  if (address.length > LONGEST_ADDRESS) return false;
  let reached = new Uint8Array(address.length + 1);
  reached[0] = 1;
  for (const part of parts) {
    reached = typeof part === "string" ? throughText(reached, address, part) : throughHole(reached, address, part);
    // Most templates of others fail at their first text.
    if (!reached.includes(1)) return false;
  }
  return reached[address.length] === 1;
}

/** Where the address can stand after the part, for every place where it could stand before it. */
function throughText(reached: Uint8Array, address: string, text: string) {
  const next = new Uint8Array(reached.length);
  for (let at = reached.indexOf(1); at !== -1; at = reached.indexOf(1, at + 1)) {
    if (address.startsWith(text, at)) next[at + text.length] = 1;
  }
  return next;
}

function throughHole(reached: Uint8Array, address: string, { lead, slashes }: Hole) {
  const next = new Uint8Array(reached.length);
  let inside = false;
  for (let at = 0; at < reached.length; at++) {
    inside &&= slashes || address[at - 1] !== "/";
    const begins = lead === "" ? reached[at] === 1 : at > 0 && reached[at - 1] === 1 && address[at - 1] === lead;
    if (inside || (lead !== "" && (begins || reached[at] === 1))) next[at] = 1;
    inside ||= begins;
  }
  return next;
}
