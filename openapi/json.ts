/**
 * JSON with exact numbers, for the programs around the server. A double cannot hold 9007199254740993, so `JSON.parse` reads
 * another number. Browsers without access to the source text of a number get the double.
 */
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;

/** ECMAScript's source text access, which the compiler's library does not declare yet. */
interface SourceText {
  readonly rawJSON?: (text: string) => unknown;
  readonly isRawJSON?: (value: unknown) => boolean;
}
const { rawJSON, isRawJSON } = JSON as SourceText;

function parse(text: string, reviver: Reviver): unknown {
  // The library's type of a reviver lacks the third argument.
  return JSON.parse(text, reviver as (key: string, value: unknown) => unknown);
}

/** For output: a number that a double changes keeps its text. Throws a SyntaxError for invalid JSON. */
export function parseVerbatim(text: string): unknown {
  return parse(text, (_key, value, context) => {
    const source = context?.source;
    if (typeof value !== "number" || source === undefined || String(value) === source) return value;
    return rawJSON ? rawJSON(source) : value;
  });
}

/** For editing: a whole number that a double cannot hold is a bigint. Throws a SyntaxError for invalid JSON. */
export function parseWithBigInts(text: string): unknown {
  return parse(text, (_key, value, context) =>
    typeof value === "number" && rawJSON ? exactNumber(context?.source ?? String(value)) : value,
  );
}

/** A number from its text, as a bigint if a double cannot hold it. */
export function exactNumber(text: string): number | bigint {
  const value = Number(text);
  return /^-?\d+$/.test(text) && !Number.isSafeInteger(value) ? BigInt(text) : value;
}

/** The JSON text of a value that one of these functions returned; undefined for undefined. */
export function stringifyExact(value: unknown, indent?: number): string | undefined {
  const replacer = (_key: string, each: unknown) => {
    if (typeof each !== "bigint") return each;
    return rawJSON ? rawJSON(each.toString()) : Number(each);
  };
  return JSON.stringify(value, replacer, indent);
}

/** A JSON object. A number that kept its text is an object to JavaScript, but a number in JSON. */
export function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isRawJSON?.(value) !== true;
}
