/** ECMAScript's source text access (Node 24), which the compiler's library does not declare yet. */
interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}
const exactJson = JSON as unknown as ExactJson;

/** A number that a double cannot hold keeps its text, so that printing it again gives what the tool said. */
export function parseExactly(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value !== "number" || source === undefined || String(value) === source ? value : exactJson.rawJSON(source),
  );
}
