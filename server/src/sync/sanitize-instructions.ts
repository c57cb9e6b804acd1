import { createHash } from "node:crypto";
import type { SyncedItem } from "#records/server-items";
import { MAX_DESCRIPTION_LENGTH, visibleText } from "./definition-parts.ts";
import { findInvisibleCharacters } from "./invisible-characters.ts";

/**
 * The server's text for models as an item that is pinned like a tool (GW-17). A server without instructions has an empty
 * text, so that a text which it adds later counts as a change.
 */
export function sanitizeInstructions(instructions: string | undefined): SyncedItem {
  const visible = (visibleText(instructions, instructions?.length ?? 0) ?? "").replace(/\r\n?|[\u2028\u2029]/g, "\n");
  const whole = visible.trim();
  const text = visibleText(whole, MAX_DESCRIPTION_LENGTH) ?? "";
  const omitted = whole.length - text.length;
  return {
    upstream_name: "instructions",
    slug: "",
    definition: JSON.stringify({ text, ...(omitted > 0 && { omitted }) }),
    digest: createHash("sha256").update(text).digest("hex"),
    unseen: findInvisibleCharacters((instructions ?? "").slice(0, MAX_DESCRIPTION_LENGTH)),
  };
}
