import { createHash } from "node:crypto";
import { isJsonObject, type Json } from "./exact-json.ts";

/** GW-17: what a model reads and a person trusts. Icons and `_meta` may change without anybody being misled. */
const PINNED = ["title", "description", "inputSchema", "outputSchema", "annotations"] as const;

/** The same for the same tool, whatever the order in which the upstream writes the members of its objects. */
export function toolDigest(name: string, definition: Json): string {
  const pinned = [name, ...PINNED.map((member) => inOrder(definition[member]) ?? null)];
  return createHash("sha256").update(JSON.stringify(pinned)).digest("hex");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, inOrder(value[key])]);
}
