import { parseTemplate } from "#lib/uri-template";
import { isJsonObject, type Json } from "./exact-json.ts";
import type { SanitizedItem } from "./sanitize-prompt.ts";
import {
  isName,
  isNameList,
  LARGEST_DEFINITION,
  LONGEST_DESCRIPTION,
  LONGEST_TITLE,
  parseObject,
  seenText,
  soundIcons,
} from "./sound-parts.ts";

const LONGEST_ADDRESS = 2_048;
const LONGEST_MIME_TYPE = 256;
/** D37: the gateway's own spelling of addresses that collide; an upstream that used it could pose as another. */
const RESERVED = /^mcp\+/i;

/** Judges one resource by itself, as `sanitizeTool` does with a tool. */
export function sanitizeResource(rawResource: string): SanitizedItem {
  const resource = parseObject(rawResource);
  return resource ? judged(resource, resource.uri) : { refused: "its definition is not an object" };
}

export function sanitizeTemplate(rawTemplate: string): SanitizedItem {
  const template = parseObject(rawTemplate);
  if (!template) return { refused: "its definition is not an object" };
  const { uriTemplate } = template;
  if (typeof uriTemplate === "string" && !parseTemplate(uriTemplate)) return { refused: "its template is malformed" };
  return judged(template, uriTemplate);
}

function judged(item: Json, address: unknown): SanitizedItem {
  if (!isName(address, LONGEST_ADDRESS)) {
    return { refused: "its address is missing, too long or holds control characters" };
  }
  if (RESERVED.test(address)) return { refused: "its address begins with mcp+, which is the gateway's" };
  const definition = JSON.stringify({
    // Clients refuse a whole list for one resource without a name.
    name: seenText(item.name, LONGEST_TITLE) || address.slice(0, LONGEST_TITLE).toWellFormed(),
    title: seenText(item.title, LONGEST_TITLE),
    description: seenText(item.description, LONGEST_DESCRIPTION),
    mimeType: seenText(item.mimeType, LONGEST_MIME_TYPE),
    size: typeof item.size === "number" && item.size >= 0 ? item.size : undefined,
    annotations: soundAnnotations(item.annotations),
    icons: soundIcons(item.icons),
    _meta: isJsonObject(item._meta) ? item._meta : undefined,
  });
  if (definition.length > LARGEST_DEFINITION) return { refused: "its definition is too large" };
  return { item: { upstream_name: address, slug: "", definition } };
}

function soundAnnotations(annotations: unknown): Json | undefined {
  if (!isJsonObject(annotations)) return undefined;
  const { audience, priority, lastModified } = annotations;
  const roles = isNameList(audience) && audience.every((role) => role === "user" || role === "assistant");
  const weighed = typeof priority === "number" && priority >= 0 && priority <= 1;
  return {
    audience: roles ? audience : undefined,
    priority: weighed ? priority : undefined,
    lastModified: isTime(lastModified) ? lastModified : undefined,
  };
}

function isTime(text: unknown): text is string {
  return (
    typeof text === "string" &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  );
}
