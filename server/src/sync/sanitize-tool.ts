import { createHash } from "node:crypto";
import {
  isName,
  isNameList,
  MAX_DEFINITION_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_NAME_LENGTH,
  MAX_TITLE_LENGTH,
  parseObject,
  sanitizeIcons,
  visibleText,
} from "./definition-parts.ts";
import { isJsonObject, type Json } from "./exact-json.ts";
import { findInvisibleCharacters } from "./invisible-characters.ts";
import { liftBranches } from "./lift-branches.ts";
import { hasValidParamHeaders } from "./param-headers.ts";
import { toolDigest } from "./tool-digest.ts";

/** A tool that every client accepts. Many clients reject the entire list if one tool is invalid. */
export interface SanitizedTool {
  readonly upstream_name: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** GW-17: changes if anything changes that a model reads. */
  readonly digest: string;
  /** Invisible characters in the upstream's definition. */
  readonly unseen: string[];
  /** JSON text of the definition without its name. */
  readonly definition: string;
}

export type Sanitized = { readonly tool: SanitizedTool } | { readonly refused: string };

/** D28: characters that clients accept in a name. `{slug}__{tool}` has at most 64 characters. */
const VALID_NAME = /^[A-Za-z0-9_-]+$/;
const MAX_GATEWAY_NAME_LENGTH = 64;
const MAX_SCHEMA_DEPTH = 64;
/** Of these, model APIs reject the first three, or all five (decision 0013). */
const REMOVED_AT_ROOT = ["anyOf", "oneOf", "allOf", "not", "enum"];
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const TASK_SUPPORT = new Set<unknown>([undefined, "required", "optional", "forbidden"]);

/** `serverSlugLength` determines how much of the 64 characters the prefix takes. */
export function sanitizeTool(rawTool: string, serverSlugLength: number): Sanitized {
  const tool = parseObject(rawTool);
  if (!tool) return { refused: "its definition is not an object" };
  const name = tool.name;
  if (!isName(name, MAX_NAME_LENGTH)) {
    return { refused: "its name is missing, too long, or contains control characters" };
  }
  const inputSchema = sanitizeInputSchema(tool.inputSchema);
  if (typeof inputSchema === "string") return { refused: inputSchema };
  if (isJsonObject(tool.inputSchema) && !hasValidParamHeaders(tool.inputSchema))
    return { refused: "its x-mcp-header is invalid" };
  const description = visibleText(tool.description, MAX_DESCRIPTION_LENGTH) ?? "";
  const ownTitle = visibleText(tool.title, MAX_TITLE_LENGTH);
  const annotations = sanitizeAnnotations(tool.annotations);
  const sanitized = {
    title: ownTitle,
    // Some clients drop every tool of a server if one has no description.
    description,
    inputSchema,
    outputSchema: sanitizeOutputSchema(tool.outputSchema),
    annotations,
    execution: sanitizeExecution(tool.execution),
    icons: sanitizeIcons(tool.icons),
    _meta: isJsonObject(tool._meta) ? tool._meta : undefined,
  };
  const definition = JSON.stringify(sanitized);
  if (definition.length > MAX_DEFINITION_LENGTH) return { refused: "its definition is too large" };
  const title = ownTitle || visibleText(annotations?.title, MAX_TITLE_LENGTH) || name;
  const { icons: _icons, _meta, ...readByModels } = tool;
  return {
    tool: {
      upstream_name: name,
      slug: toolSlug(name, serverSlugLength),
      title,
      description,
      definition,
      digest: toolDigest(name, sanitized),
      unseen: findInvisibleCharacters(readByModels),
    },
  };
}

/** The upstream's name if it is valid and short enough, else a stable short form with a digest (D28). */
export function toolSlug(name: string, serverSlugLength: number): string {
  const room = MAX_GATEWAY_NAME_LENGTH - serverSlugLength - 2;
  if (VALID_NAME.test(name) && name.length <= room) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const readable = name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-|-$/g, "");
  return `${readable.slice(0, Math.max(0, room - digest.length - 1))}-${digest}`.replace(/^-/, "");
}

/** Removes what clients and model APIs reject at the root (decision 0013). Conditions stay. */
function sanitizeInputSchema(schema: unknown): Json | string {
  if (schema === undefined || schema === null) return { type: "object" };
  if (!isJsonObject(schema)) return "its inputSchema is not an object";
  if (depthOf(schema) > MAX_SCHEMA_DEPTH) return "its inputSchema is nested too deeply";
  if (schema.type !== undefined && schema.type !== "object") return 'its inputSchema is not of type "object"';
  const sanitized: Json = { ...liftBranches(schema), type: "object" };
  for (const key of REMOVED_AT_ROOT) delete sanitized[key];
  if (!isNameList(sanitized.required)) delete sanitized.required;
  if (isJsonObject(sanitized.properties)) sanitized.properties = sanitizeProperties(sanitized.properties);
  else delete sanitized.properties;
  return sanitized;
}

/** Replaces the schemas `true` and `false` by equivalent objects, because clients expect objects. */
function sanitizeProperties(properties: Json): Json {
  const schemas = Object.entries(properties).map(([name, property]) => {
    return [name, property === true ? {} : property === false ? { not: {} } : property] as const;
  });
  return Object.fromEntries(schemas.filter(([, property]) => isJsonObject(property)));
}

/** Drops an invalid output schema, because clients would reject the entire list; the tool works without it. */
function sanitizeOutputSchema(schema: unknown): Json | undefined {
  if (!isJsonObject(schema) || schema.type !== "object" || depthOf(schema) > MAX_SCHEMA_DEPTH) return undefined;
  const { properties, required, $schema } = schema;
  if (properties !== undefined && !(isJsonObject(properties) && Object.values(properties).every(isJsonObject)))
    return undefined;
  if (required !== undefined && !isNameList(required)) return undefined;
  return $schema === undefined || typeof $schema === "string" ? schema : undefined;
}

function sanitizeAnnotations(annotations: unknown): Json | undefined {
  if (!isJsonObject(annotations)) return undefined;
  const valid: Json = { ...annotations };
  if (typeof valid.title !== "string") delete valid.title;
  for (const hint of HINTS) if (typeof valid[hint] !== "boolean") delete valid[hint];
  return valid;
}

function sanitizeExecution(execution: unknown): Json | undefined {
  return isJsonObject(execution) && TASK_SUPPORT.has(execution.taskSupport) ? execution : undefined;
}

function depthOf(value: unknown): number {
  let deepest = 0;
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    if (typeof next.value !== "object" || next.value === null) continue;
    deepest = Math.max(deepest, next.depth);
    if (deepest > MAX_SCHEMA_DEPTH) return deepest;
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 });
  }
  return deepest;
}
