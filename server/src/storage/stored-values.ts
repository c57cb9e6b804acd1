/** Begins a transaction of SQLite. IMMEDIATE, so that one that reads first and writes later never fails with BUSY halfway. */
export const BEGIN_WRITING = "BEGIN IMMEDIATE";

/** A row of a `FOR_EACH_ROW` statement. */
export type StoredRow = readonly (string | number | null)[];

/** Marks a statement that SQLite's thread runs for each row of its only parameter, an array of `StoredRow`s. */
export const FOR_EACH_ROW = "/* for each row */ ";

/**
 * Converts a value to a query parameter, the same for both databases. Results are converted by their declared column
 * type: BOOLEAN, JSON, BYTEA, BIGINT.
 */
export type StoredValue = null | string | number | bigint | boolean | Uint8Array;

export function toStoredValue(value: unknown): StoredValue {
  if (value === null || typeof value === "string" || typeof value === "boolean" || typeof value === "bigint")
    return value;
  if (typeof value === "number") {
    // SQLite would silently store NaN as NULL.
    if (!Number.isFinite(value)) throw new TypeError(`Only finite numbers can be stored, not ${value}`);
    return value;
  }
  if (value instanceof Uint8Array) return value;
  if (Array.isArray(value) || isPlainObject(value)) return JSON.stringify(value);
  throw new TypeError(`A value of this type cannot be stored: ${describe(value)}`);
}

function isPlainObject(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function describe(value: unknown): string {
  return typeof value === "object" && value !== null ? value.constructor.name : typeof value;
}

/** Every stored integer fits a double; one that does not would change silently, so it is rejected. */
export function toSafeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new RangeError(`Value is too large to be represented as a JavaScript number: ${text}`);
  }
  return value;
}
