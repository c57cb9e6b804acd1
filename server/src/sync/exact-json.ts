import { isObject } from "#lib/is-object";

export type Json = Record<string, unknown>;

/** ECMAScript's JSON source text access (Node 24), which TypeScript's library does not declare yet. */
interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}
const exactJson = JSON as unknown as ExactJson;

/** Numbers that a double cannot represent keep their text, such as `"maximum": 9223372036854775807`. */
export function parseExactly(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value !== "number" || source === undefined || String(value) === source ? value : exactJson.rawJSON(source),
  );
}

/** Excludes numbers that kept their text, which are objects in JavaScript. */
export function isJsonObject(value: unknown): value is Json {
  return isObject(value) && !exactJson.isRawJSON(value);
}
