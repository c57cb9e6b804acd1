import { hash } from "node:crypto";
import { Lru } from "#lib/lru";
import type { DiscoveryKind } from "#storage/discovery-tables";
import type { FoundItem } from "./report.ts";

/** Longer entries are rare, and contain texts of skills. */
const MAX_TEXT_LENGTH = 2_048;
const MAX_ITEMS = 5_000;
/** Every home folder that is shortened contains one of these. */
export const CAN_CONTAIN_HOME = /users|home/i;

/**
 * Items as they were normalized for other reports, because popular servers and skills are on most devices (decision 0191).
 * Only of entries without a home folder, so that the result is the same for every user.
 */
export class KnownItems {
  readonly #items = new Lru<FoundItem>(MAX_ITEMS);

  /** Undefined if an item for this entry cannot be shared. A digest, because the entry can contain a secret. */
  keyOf(kind: DiscoveryKind, entry: unknown): string | undefined {
    if (typeof entry !== "object" || entry === null || !Object.values(entry).every(isFlat)) return undefined;
    const text = JSON.stringify([kind, entry]);
    if (text.length > MAX_TEXT_LENGTH || CAN_CONTAIN_HOME.test(text)) return undefined;
    return hash("sha256", text, "base64url");
  }

  get(key: string): FoundItem | undefined {
    return this.#items.get(key);
  }

  set(key: string, item: FoundItem): void {
    this.#items.set(key, item);
  }
}

/** Deeply nested entries can be parsed, but not written. */
function isFlat(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  return Object.values(value).every((each) => typeof each !== "object" || each === null);
}
