import type { ParamHeader } from "#gateway/snapshot/shape";
import { isObject } from "#lib/is-object";

const ANNOTATION = "x-mcp-header";

/** The arguments of a tool that callers repeat in headers. The sync omits tools with invalid annotations. */
export function paramHeadersOf(definition: string): ParamHeader[] | undefined {
  // Definitions are large, and almost none have the annotation.
  if (!definition.includes(`"${ANNOTATION}"`)) return undefined;
  const { inputSchema }: { inputSchema?: unknown } = JSON.parse(definition);
  const found = [...headersBelow(inputSchema, [])];
  return found.length > 0 ? found : undefined;
}

function* headersBelow(schema: unknown, path: readonly string[]): Generator<ParamHeader> {
  if (!isObject(schema)) return;
  const name = schema[ANNOTATION];
  if (typeof name === "string" && path.length > 0) yield { header: `mcp-param-${name.toLowerCase()}`, path };
  if (!isObject(schema.properties)) return;
  for (const [key, property] of Object.entries(schema.properties)) yield* headersBelow(property, [...path, key]);
}
