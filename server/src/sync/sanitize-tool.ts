import { createHash } from "node:crypto";

/** A tool as clients can bear it (mcp.md's list of real refusals): one bad tool must never cost a caller all the others. */
export interface SanitizedTool {
  readonly upstream_name: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** JSON text of the definition without its name. */
  readonly definition: string;
}

export type Sanitized = { readonly tool: SanitizedTool } | { readonly refused: string };

/** D28: what clients accept in a name; the whole of `{slug}__{tool}` must stay within 64 characters. */
const LEGAL_NAME = /^[A-Za-z0-9_.-]+$/;
const LONGEST_GATEWAY_NAME = 64;
const LONGEST_UPSTREAM_NAME = 256;
const LONGEST_DESCRIPTION = 8 * 1024; // GW-17
const LARGEST_DEFINITION = 256 * 1024;
const DEEPEST_SCHEMA = 64;
const COMBINATORS = ["anyOf", "oneOf", "allOf", "not", "if", "then", "else"];

type Json = Record<string, unknown>;

/** Judges one tool by itself. `serverSlugLength`: how much of the 64 characters the prefix takes. */
export function sanitizeTool(rawTool: string, serverSlugLength: number): Sanitized {
  const tool = parseObject(rawTool);
  if (!tool) return { refused: "its definition is not an object" };
  const name = tool.name;
  if (typeof name !== "string" || name === "" || name.length > LONGEST_UPSTREAM_NAME || !isPrintable(name)) {
    return { refused: "its name is missing, too long or holds control characters" };
  }
  const inputSchema = soundInputSchema(tool.inputSchema);
  if (typeof inputSchema === "string") return { refused: inputSchema };
  if (!hasValidParamHeaders(inputSchema)) return { refused: "its x-mcp-header is invalid" };
  const description = typeof tool.description === "string" ? tool.description.slice(0, LONGEST_DESCRIPTION) : "";
  const definition = JSON.stringify(definitionOf(tool, description, inputSchema));
  if (definition.length > LARGEST_DEFINITION) return { refused: "its definition is too large" };
  const title = titleOf(tool) ?? name;
  return { tool: { upstream_name: name, slug: toolSlug(name, serverSlugLength), title, description, definition } };
}

/** The upstream's name where it is legal and fits; otherwise a stable short form with a digest of the whole (D28). */
export function toolSlug(name: string, serverSlugLength: number): string {
  const room = LONGEST_GATEWAY_NAME - serverSlugLength - 2;
  if (LEGAL_NAME.test(name) && name.length <= room) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const readable = name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-|-$/g, "");
  return `${readable.slice(0, Math.max(0, room - digest.length - 1))}-${digest}`.replace(/^-/, "");
}

function definitionOf(tool: Json, description: string, inputSchema: Json): Json {
  const kept: Json = {};
  if (typeof tool.title === "string") kept.title = tool.title;
  // Some clients drop every tool of a server for one without a description.
  kept.description = description;
  kept.inputSchema = inputSchema;
  const outputSchema = soundOutputSchema(tool.outputSchema);
  if (outputSchema) kept.outputSchema = outputSchema;
  for (const key of ["annotations", "execution", "_meta"]) if (isObject(tool[key])) kept[key] = tool[key];
  if (Array.isArray(tool.icons)) kept.icons = tool.icons;
  return kept;
}

/** Root combinators make real clients drop the tool or the whole list; the properties beside them still describe it. */
function soundInputSchema(schema: unknown): Json | string {
  if (schema === undefined || schema === null) return { type: "object" };
  if (!isObject(schema)) return "its inputSchema is not an object";
  if (depthOf(schema) > DEEPEST_SCHEMA) return "its inputSchema is too deep";
  if (schema.type !== undefined && schema.type !== "object") return 'its inputSchema is not of type "object"';
  const sound: Json = { ...schema, type: "object" };
  for (const key of COMBINATORS) delete sound[key];
  if (sound.required !== undefined && !Array.isArray(sound.required)) delete sound.required;
  if (sound.properties !== undefined && !isObject(sound.properties)) delete sound.properties;
  return sound;
}

/** Legacy clients refuse the whole list for an output schema that is no object: without it the tool still works. */
function soundOutputSchema(schema: unknown): Json | undefined {
  if (!isObject(schema) || schema.type !== "object" || depthOf(schema) > DEEPEST_SCHEMA) return undefined;
  return schema;
}

/** Clients must drop a tool whose x-mcp-header is invalid (MCP 2026-07-28), so we do, once, for all of them. */
function hasValidParamHeaders(schema: Json): boolean {
  const seen = new Set<string>();
  const properties = isObject(schema.properties) ? schema.properties : {};
  for (const property of Object.values(properties)) {
    if (!isObject(property) || property["x-mcp-header"] === undefined) continue;
    const header = property["x-mcp-header"];
    const scalar = ["string", "integer", "boolean"].includes(String(property.type));
    if (typeof header !== "string" || !/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(header) || !scalar) return false;
    if (seen.has(header.toLowerCase())) return false;
    seen.add(header.toLowerCase());
  }
  return true;
}

function titleOf(tool: Json): string | undefined {
  if (typeof tool.title === "string" && tool.title !== "") return tool.title;
  const annotations = tool.annotations;
  if (isObject(annotations) && typeof annotations.title === "string" && annotations.title !== "")
    return annotations.title;
  return undefined;
}

function depthOf(value: unknown): number {
  let deepest = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    deepest = Math.max(deepest, next.depth);
    if (deepest > DEEPEST_SCHEMA) return deepest;
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 });
  }
  return deepest;
}

function isPrintable(text: string): boolean {
  return text.isWellFormed() && !/[\p{Cc}\p{Cf}]/u.test(text);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = parseExactly(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** ECMAScript's source text access (Node 24), which the compiler's library does not declare yet. */
interface ExactJson {
  parse(text: string, revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown): unknown;
  rawJSON(text: string): unknown;
}
const exactJson = JSON as unknown as ExactJson;

/** A number that a double cannot hold keeps its text: `"maximum": 9223372036854775807` stays what it is. */
function parseExactly(text: string): unknown {
  return exactJson.parse(text, (_key, value, { source }) =>
    typeof value !== "number" || source === undefined || String(value) === source ? value : exactJson.rawJSON(source),
  );
}
