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
import { toolSlug } from "./sanitize-tool.ts";

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
  const definition = JSON.stringify({
    title: visibleText(prompt.title, MAX_TITLE_LENGTH),
    description: visibleText(prompt.description, MAX_DESCRIPTION_LENGTH),
    arguments: promptArguments,
    icons: sanitizeIcons(prompt.icons),
    _meta: isJsonObject(prompt._meta) ? prompt._meta : undefined,
  });
  if (definition.length > MAX_DEFINITION_LENGTH) return { refused: "its definition is too large" };
  return { item: { upstream_name: name, slug: toolSlug(name, serverSlugLength), definition } };
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
