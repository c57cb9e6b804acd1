import { createHash } from "node:crypto";
import { isJsonObject, type Json } from "./exact-json.ts";

/** GW-17: the members that models read. Icons and `_meta` may change without review. */
const PINNED = ["title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** Independent of the order of object members. */
export function toolDigest(name: string, definition: Json): string {
  const pinned = [name, ...PINNED.map((member) => sortMembers(definition[member]) ?? null)];
  return createHash("sha256").update(JSON.stringify(pinned)).digest("hex");
}

/** The members of prompts, resources and templates that models read. A size or a time of change is data. */
const PINNED_OF_ITEMS = ["name", "title", "description", "arguments", "mimeType", "annotations"] as const;

/** Like `toolDigest`, for prompts, resources and templates. */
export function itemDigest(name: string, definition: Json): string {
  const annotations = Object.entries(isJsonObject(definition.annotations) ? definition.annotations : {});
  const lasting = annotations.filter(([key, value]) => key !== "lastModified" && value !== undefined);
  const read: Json = { ...definition, annotations: Object.fromEntries(lasting) };
  const pinned = [name, ...PINNED_OF_ITEMS.map((member) => sortMembers(read[member]) ?? null)];
  return createHash("sha256").update(JSON.stringify(pinned)).digest("hex");
}

function sortMembers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortMembers);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, sortMembers(value[key])]);
}
