/**
 * Numbers of JSON as they were written: what a double would make of 9007199254740993 is another number. Browsers that cannot
 * tell how a number was written show it as they read it.
 */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

const raw = (JSON as { readonly rawJSON?: (text: string) => unknown }).rawJSON; // newer than the library's types

function parse(text: string, reviver: Reviver): unknown {
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown); // the third argument, likewise
}

/** To be written again and nothing else: every number stands for its own text. Throws where it is no JSON. */
export function verbatim(text: string): unknown {
  return parse(text, (_key, value, context) =>
    typeof value === "number" && context?.source !== undefined && raw ? raw(context.source) : value,
  );
}

/** To be worked with: whole numbers that a double cannot hold are bigints. Throws where it is no JSON. */
export function parseExact(text: string): unknown {
  return parse(text, (_key, value, context) =>
    typeof value === "number" && raw ? exactNumber(context?.source ?? String(value)) : value,
  );
}

/** As somebody typed it. */
export function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/** The JSON of what either of these gave; undefined where there is none. */
export function writeExact(value: unknown, indent?: number): string | undefined {
  const exact = (_key: string, each: unknown) =>
    typeof each === "bigint" ? (raw ? raw(each.toString()) : Number(each)) : each;
  return JSON.stringify(value, exact, indent);
}
