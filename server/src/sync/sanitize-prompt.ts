import type { SyncedItem } from "#records/server-items";
import {
  isName,
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
import { toolSlug } from "./sanitize-tool.ts";
import { itemDigest } from "./tool-digest.ts";

export type SanitizedItem = { readonly item: SyncedItem } | { readonly refused: string };

/** Like `sanitizeTool`, with the same rule for names (D28). */
export function sanitizePrompt(rawPrompt: string, serverSlugLength: number): SanitizedItem {
  const prompt = parseObject(rawPrompt);
  if (!prompt) return { refused: "its definition is not an object" };
  const { name } = prompt;
  if (!isName(name, MAX_NAME_LENGTH)) {
    return { refused: "its name is missing, too long, or contains control characters" };
  }
  const promptArguments = sanitizeArguments(prompt.arguments);
  if (typeof promptArguments === "string") return { refused: promptArguments };
  const sanitized = {
    title: visibleText(prompt.title, MAX_TITLE_LENGTH),
    description: visibleText(prompt.description, MAX_DESCRIPTION_LENGTH),
    arguments: promptArguments,
    icons: sanitizeIcons(prompt.icons),
    _meta: isJsonObject(prompt._meta) ? prompt._meta : undefined,
  };
  return pinnedItem({ name, slug: toolSlug(name, serverSlugLength), raw: prompt }, sanitized);
}

interface NamedItem {
  readonly name: string;
  readonly slug: string;
  readonly raw: Json;
}

/** The item with the digest that pins it (GW-17). */
export function pinnedItem({ name, slug, raw }: NamedItem, sanitized: Json): SanitizedItem {
  const definition = JSON.stringify(sanitized);
  if (definition.length > MAX_DEFINITION_LENGTH) return { refused: "its definition is too large" };
  const { icons: _icons, _meta, ...readByModels } = raw;
  const unseen = findInvisibleCharacters(readByModels);
  return { item: { upstream_name: name, slug, definition, digest: itemDigest(name, sanitized), unseen } };
}

/** An invalid argument invalidates the prompt, which would not work without it. */
function sanitizeArguments(given: unknown): Json[] | undefined | string {
  if (given === undefined || given === null) return undefined;
  if (!Array.isArray(given)) return "its arguments are not a list";
  const valid: Json[] = [];
  for (const argument of given) {
    if (!isJsonObject(argument) || !isName(argument.name, MAX_NAME_LENGTH)) return "one of its arguments has no name";
    valid.push({
      name: argument.name,
      title: visibleText(argument.title, MAX_TITLE_LENGTH),
      description: visibleText(argument.description, MAX_DESCRIPTION_LENGTH),
      required: typeof argument.required === "boolean" ? argument.required : undefined,
    });
  }
  return valid;
}
