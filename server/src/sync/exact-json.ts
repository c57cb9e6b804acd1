import { isObject } from "#lib/is-object";

export type Json = Record<string, unknown>;

/** ECMAScript's source text access (Node 24), which the compiler's library does not declare yet. */
interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}
const exactJson = JSON as unknown as ExactJson;

/** A number that a double cannot hold keeps its text: `"maximum": 9223372036854775807` stays what it is. */
export function parseExactly(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value !== "number" || source === undefined || String(value) === source ? value : exactJson.rawJSON(source),
  );
}

/** A number that kept its text is an object to JavaScript, but not to us. */
export function isJsonObject(value: unknown): value is Json {
  return isObject(value) && !exactJson.isRawJSON(value);
}
