import { invalid } from "./errors.ts";

/** The place of a row in a list that goes by time and then by id; opaque to clients (D22). */
export function encodeCursor({ at, id }: { readonly at: number; readonly id: string | number }): string {
  return Buffer.from(`${at}.${id}`).toString("base64url");
}

/** `ids`: what an id of that list looks like. Another list's cursor is none of this one. */
export function decodeCursor(cursor: string, ids: RegExp): { at: number; id: string } {
  const [at = "", id = "", ...rest] = Buffer.from(cursor, "base64url").toString("latin1").split(".");
  const place = { at: Number(at), id };
  // Decoding is lenient; only what we would have written ourselves is a cursor.
  const known = Number.isSafeInteger(place.at) && place.at >= 0 && ids.test(id) && rest.length === 0;
  if (!known || encodeCursor(place) !== cursor) throw invalid("cursor", "must be a cursor from an earlier answer");
  return place;
}
