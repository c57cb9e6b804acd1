import { invalid } from "./errors.ts";

/** The position of a row in a list ordered by time and ID; opaque to clients (D22). */
export function encodeCursor({ at, id }: { readonly at: number; readonly id: string | number }): string {
  return Buffer.from(`${at}.${id}`).toString("base64url");
}

/** `ids` is the format of the list's IDs, so that cursors of other lists are rejected. */
export function decodeCursor(cursor: string, ids: RegExp): { at: number; id: string } {
  const [at = "", id = "", ...rest] = Buffer.from(cursor, "base64url").toString("latin1").split(".");
  const place = { at: Number(at), id };
  // Base64 decoding is lenient, so only the exact encoding is accepted.
  const known = Number.isSafeInteger(place.at) && place.at >= 0 && ids.test(id) && rest.length === 0;
  if (!known || encodeCursor(place) !== cursor) throw invalid("cursor", "must be a cursor from an earlier answer");
  return place;
}
