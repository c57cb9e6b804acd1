/** The result of scanning JSON text: positions of values, never the values themselves (GW-20). */
export type ValueKind = "object" | "array" | "string" | "number" | "true" | "false" | "null";

/** Absolute byte offsets; `end` is exclusive. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

export interface Value extends Range {
  readonly kind: ValueKind;
}

export interface Member extends Value {
  /** Offset of the opening quote of its key. */
  readonly keyStart: number;
}

export interface WatchedObject extends Range {
  /** In source order. A Map, so that `__proto__` is an ordinary key (GW-6). */
  readonly members: ReadonlyMap<string, Member>;
}

export interface Scan {
  readonly root: Value;
  /** One entry per watched path, in the plan's order; undefined if there is no object at that path. */
  readonly objects: readonly (WatchedObject | undefined)[];
  /** The first elements of a top-level array, up to the number set in the plan. */
  readonly elements: readonly Value[];
  /** Total number of elements of a top-level array; 0 if the plan requests none. */
  readonly elementCount: number;
}

export type JsonFaultKind = "malformed" | "too-deep" | "too-many-keys" | "duplicate-key" | "not-utf8";

/** Why a text was rejected, and the offset where that was detected (for `not-utf8`, the start of the invalid chunk). */
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
