import { invalid } from "#lib/errors";

/** The place of a row in the log's order: by time, then by number. */
export interface CallPlace {
  readonly at: number;
  readonly id: number;
}

/** Opaque to clients (D22). */
export function encodeCursor({ at, id }: CallPlace): string {
  return Buffer.from(`${at}.${id}`).toString("base64url");
}

export function decodeCursor(cursor: string): CallPlace {
  const [at, id] = Buffer.from(cursor, "base64url").toString("latin1").split(".").map(Number);
  const place = { at: at ?? Number.NaN, id: id ?? Number.NaN };
  // Decoding is lenient; only what we would have written ourselves is a cursor.
  const known = isCount(place.at) && isCount(place.id) && encodeCursor(place) === cursor;
  if (!known) throw invalid("cursor", "must be a cursor from an earlier answer");
  return place;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
