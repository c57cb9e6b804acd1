import type { SyncedItem } from "#records/server-items";
import { isJsonObject, type Json } from "./exact-json.ts";
import { toolSlug } from "./sanitize-tool.ts";
import {
  isName,
  LARGEST_DEFINITION,
  LONGEST_DESCRIPTION,
  LONGEST_TITLE,
  LONGEST_UPSTREAM_NAME,
  parseObject,
  seenText,
  soundIcons,
} from "./sound-parts.ts";

export type SanitizedItem = { readonly item: SyncedItem } | { readonly refused: string };

/** Judges one prompt by itself, as `sanitizeTool` does with a tool; names follow the same rule (D28). */
export function sanitizePrompt(rawPrompt: string, serverSlugLength: number): SanitizedItem {
  const prompt = parseObject(rawPrompt);
  if (!prompt) return { refused: "its definition is not an object" };
  const { name } = prompt;
  if (!isName(name, LONGEST_UPSTREAM_NAME)) {
    return { refused: "its name is missing, too long or holds control characters" };
  }
  const given = soundArguments(prompt.arguments);
  if (typeof given === "string") return { refused: given };
  const definition = JSON.stringify({
    title: seenText(prompt.title, LONGEST_TITLE),
    description: seenText(prompt.description, LONGEST_DESCRIPTION),
    arguments: given,
    icons: soundIcons(prompt.icons),
    _meta: isJsonObject(prompt._meta) ? prompt._meta : undefined,
  });
  if (definition.length > LARGEST_DEFINITION) return { refused: "its definition is too large" };
  return { item: { upstream_name: name, slug: toolSlug(name, serverSlugLength), definition } };
}

/** A prompt that lost an argument could not be used as it was meant: one bad argument costs the prompt. */
function soundArguments(given: unknown): Json[] | undefined | string {
  if (given === undefined || given === null) return undefined;
  if (!Array.isArray(given)) return "its arguments are not a list";
  const sound: Json[] = [];
  for (const argument of given) {
    if (!isJsonObject(argument) || !isName(argument.name, LONGEST_UPSTREAM_NAME))
      return "one of its arguments has no name";
    sound.push({
      name: argument.name,
      title: seenText(argument.title, LONGEST_TITLE),
      description: seenText(argument.description, LONGEST_DESCRIPTION),
      required: typeof argument.required === "boolean" ? argument.required : undefined,
    });
  }
  return sound;
}
