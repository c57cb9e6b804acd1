import { parseTemplate } from "#lib/uri-template";
import {
  isName,
  isNameList,
  MAX_DESCRIPTION_LENGTH,
  MAX_TITLE_LENGTH,
  parseObject,
  sanitizeIcons,
  visibleText,
} from "./definition-parts.ts";
import { isJsonObject, type Json } from "./exact-json.ts";
import { pinnedItem, type SanitizedItem } from "./sanitize-prompt.ts";

const MAX_URI_LENGTH = 2_048;
const MAX_MIME_TYPE_LENGTH = 256;
/** D37: the gateway's prefix for colliding URIs. An upstream that used it could impersonate another. */
const RESERVED = /^mcp\+/i;

/** Like `sanitizeTool`, for resources. */
export function sanitizeResource(rawResource: string): SanitizedItem {
  const resource = parseObject(rawResource);
  return resource ? sanitizeItem(resource, resource.uri) : { refused: "its definition is not an object" };
}

export function sanitizeTemplate(rawTemplate: string): SanitizedItem {
  const template = parseObject(rawTemplate);
  if (!template) return { refused: "its definition is not an object" };
  const { uriTemplate } = template;
  if (typeof uriTemplate === "string" && !parseTemplate(uriTemplate))
    return { refused: "its URI template is malformed" };
  return sanitizeItem(template, uriTemplate);
}

function sanitizeItem(item: Json, uri: unknown): SanitizedItem {
  if (!isName(uri, MAX_URI_LENGTH)) {
    return { refused: "its URI is missing, too long, or contains control characters" };
  }
  if (RESERVED.test(uri)) return { refused: "its URI starts with mcp+, which is reserved" };
  const sanitized = {
    // Clients reject the entire list if one resource has no name.
    name: visibleText(item.name, MAX_TITLE_LENGTH) || uri.slice(0, MAX_TITLE_LENGTH).toWellFormed(),
    title: visibleText(item.title, MAX_TITLE_LENGTH),
    description: visibleText(item.description, MAX_DESCRIPTION_LENGTH),
    mimeType: visibleText(item.mimeType, MAX_MIME_TYPE_LENGTH),
    size: typeof item.size === "number" && item.size >= 0 ? item.size : undefined,
    annotations: sanitizeAnnotations(item.annotations),
    icons: sanitizeIcons(item.icons),
    _meta: isJsonObject(item._meta) ? item._meta : undefined,
  };
  return pinnedItem({ name: uri, slug: "", raw: item }, sanitized);
}

function sanitizeAnnotations(annotations: unknown): Json | undefined {
  if (!isJsonObject(annotations)) return undefined;
  const { audience, priority, lastModified } = annotations;
  const hasRoles = isNameList(audience) && audience.every((role) => role === "user" || role === "assistant");
  const hasPriority = typeof priority === "number" && priority >= 0 && priority <= 1;
  return {
    audience: hasRoles ? audience : undefined,
    priority: hasPriority ? priority : undefined,
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
