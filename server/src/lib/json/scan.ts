/** What a scan of JSON text yields: where things are, never the things themselves (GW-20). */
export type ValueKind = "object" | "array" | "string" | "number" | "true" | "false" | "null";

/** Absolute byte offsets, `end` excluded. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Value extends Range {
  readonly kind: ValueKind;
}

export interface Member extends Value {
  /** Where the quote that opens its key is. */
  readonly keyStart: number;
}

export interface WatchedObject extends Range {
  /** In source order. A Map, so that a key `__proto__` is a key like any other (GW-6). */
  readonly members: ReadonlyMap<string, Member>;
}

export interface Scan {
  readonly root: Value;
  /** One entry per watched path, in the plan's order; undefined where there is no object at that path. */
  readonly objects: readonly (WatchedObject | undefined)[];
  /** The first elements of a top-level array, as many as the plan asked for. */
  readonly elements: readonly Value[];
  /** How many elements a top-level array has in all; 0 when the plan asked for none. */
  readonly elementCount: number;
}

export type JsonFaultKind = "malformed" | "too-deep" | "too-many-keys" | "duplicate-key" | "not-utf8";

/** Why a text was refused, and the byte at which that was clear (for `not-utf8`: the start of the faulty chunk). */
export class JsonFault extends Error {
  readonly kind: JsonFaultKind;
  readonly offset: number;

  constructor(kind: JsonFaultKind, offset: number) {
    super(`JSON ${kind} at byte ${offset}`);
    this.name = "JsonFault";
    this.kind = kind;
    this.offset = offset;
  }
}
