import { createHash } from "node:crypto";
import { isJsonObject, type Json } from "./exact-json.ts";
import { liftBranches } from "./lift-branches.ts";
import { hasValidParamHeaders } from "./param-headers.ts";
import {
  isName,
  isNameList,
  LARGEST_DEFINITION,
  LONGEST_DESCRIPTION,
  LONGEST_TITLE,
  LONGEST_UPSTREAM_NAME,
  parseObject,
  seenText,
  soundIcons,
} from "./sound-parts.ts";
import { toolDigest } from "./tool-digest.ts";
import { unseenCharacters } from "./unseen-characters.ts";

/** A tool as every client can bear it: many refuse a whole list for one tool that they do not understand. */
export interface SanitizedTool {
  readonly upstream_name: string;
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  /** GW-17: the same as long as nothing changes that a model reads. */
  readonly digest: string;
  /** Code points in what the upstream says of it that nobody can see. */
  readonly unseen: string[];
  /** JSON text of the definition without its name. */
  readonly definition: string;
}

export type Sanitized = { readonly tool: SanitizedTool } | { readonly refused: string };

/** D28: what clients accept in a name; the whole of `{slug}__{tool}` must stay within 64 characters. */
const LEGAL_NAME = /^[A-Za-z0-9_.-]+$/;
const LONGEST_GATEWAY_NAME = 64;
const DEEPEST_SCHEMA = 64;
const COMBINATORS = ["anyOf", "oneOf", "allOf", "not", "if", "then", "else"];
const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
const TASK_SUPPORT = new Set<unknown>([undefined, "required", "optional", "forbidden"]);
/** Judges one tool by itself. `serverSlugLength`: how much of the 64 characters the prefix takes. */
export function sanitizeTool(rawTool: string, serverSlugLength: number): Sanitized {
  const tool = parseObject(rawTool);
  if (!tool) return { refused: "its definition is not an object" };
  const name = tool.name;
  if (!isName(name, LONGEST_UPSTREAM_NAME)) {
    return { refused: "its name is missing, too long or holds control characters" };
  }
  const inputSchema = soundInputSchema(tool.inputSchema);
  if (typeof inputSchema === "string") return { refused: inputSchema };
  if (isJsonObject(tool.inputSchema) && !hasValidParamHeaders(tool.inputSchema))
    return { refused: "its x-mcp-header is invalid" };
  const description = seenText(tool.description, LONGEST_DESCRIPTION) ?? "";
  const ownTitle = seenText(tool.title, LONGEST_TITLE);
  const annotations = soundAnnotations(tool.annotations);
  const sound = {
    title: ownTitle,
    // Some clients drop every tool of a server for one without a description.
    description,
    inputSchema,
    outputSchema: soundOutputSchema(tool.outputSchema),
    annotations,
    execution: soundExecution(tool.execution),
    icons: soundIcons(tool.icons),
    _meta: isJsonObject(tool._meta) ? tool._meta : undefined,
  };
  const definition = JSON.stringify(sound);
  if (definition.length > LARGEST_DEFINITION) return { refused: "its definition is too large" };
  const title = ownTitle || seenText(annotations?.title, LONGEST_TITLE) || name;
  const { icons: _icons, _meta, ...read } = tool;
  return {
    tool: {
      upstream_name: name,
      slug: toolSlug(name, serverSlugLength),
      title,
      description,
      definition,
      digest: toolDigest(name, sound),
      unseen: unseenCharacters(read),
    },
  };
}

/** The upstream's name where it is legal and fits; otherwise a stable short form with a digest of the whole (D28). */
export function toolSlug(name: string, serverSlugLength: number): string {
  const room = LONGEST_GATEWAY_NAME - serverSlugLength - 2;
  if (LEGAL_NAME.test(name) && name.length <= room) return name;
  const digest = createHash("sha256").update(name).digest("hex").slice(0, 8);
  const readable = name.replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-|-$/g, "");
  return `${readable.slice(0, Math.max(0, room - digest.length - 1))}-${digest}`.replace(/^-/, "");
}

/** Root combinators make clients drop the tool, and model APIs refuse every request with it in: they go (decision 0013). */
function soundInputSchema(schema: unknown): Json | string {
  if (schema === undefined || schema === null) return { type: "object" };
  if (!isJsonObject(schema)) return "its inputSchema is not an object";
  if (depthOf(schema) > DEEPEST_SCHEMA) return "its inputSchema is too deep";
  if (schema.type !== undefined && schema.type !== "object") return 'its inputSchema is not of type "object"';
  const sound: Json = { ...liftBranches(schema), type: "object" };
  for (const key of COMBINATORS) delete sound[key];
  if (!isNameList(sound.required)) delete sound.required;
  if (isJsonObject(sound.properties)) sound.properties = soundProperties(sound.properties);
  else delete sound.properties;
  return sound;
}

/** A property that is just `true` or `false` is a schema too, but clients want objects: these two mean the same. */
function soundProperties(properties: Json): Json {
  const sound = Object.entries(properties).map(([name, property]) => {
    return [name, property === true ? {} : property === false ? { not: {} } : property] as const;
  });
  return Object.fromEntries(sound.filter(([, property]) => isJsonObject(property)));
}

/** Without its output schema a tool still works; with one that clients refuse, no tool of the list does. */
function soundOutputSchema(schema: unknown): Json | undefined {
  if (!isJsonObject(schema) || schema.type !== "object" || depthOf(schema) > DEEPEST_SCHEMA) return undefined;
  const { properties, required, $schema } = schema;
  if (properties !== undefined && !(isJsonObject(properties) && Object.values(properties).every(isJsonObject)))
    return undefined;
  if (required !== undefined && !isNameList(required)) return undefined;
  return $schema === undefined || typeof $schema === "string" ? schema : undefined;
}

function soundAnnotations(annotations: unknown): Json | undefined {
  if (!isJsonObject(annotations)) return undefined;
  const sound = { ...annotations };
  if (typeof sound.title !== "string") delete sound.title;
  for (const hint of HINTS) if (typeof sound[hint] !== "boolean") delete sound[hint];
  return sound;
}

function soundExecution(execution: unknown): Json | undefined {
  return isJsonObject(execution) && TASK_SUPPORT.has(execution.taskSupport) ? execution : undefined;
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
