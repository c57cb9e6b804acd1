import { JsonFault, type Member, type Scan, type Value, type ValueKind, type WatchedObject } from "./scan.ts";
import type { CommonKey, WatchNode, WatchPlan } from "./watch-plan.ts";

/** Each recorded member costs many times its size in memory, so watched objects are limited to this many (GW-6). */
const MAX_WATCHED_MEMBERS = 10_000;

/** A container whose direct values are recorded; the outermost frame represents the text itself. */
interface Frame {
  readonly outer: Frame | undefined;
  readonly node: WatchNode | undefined;
  /** Undefined for the text itself and for a top-level array. */
  readonly members: Map<string, Member> | undefined;
  readonly start: number;
  key: string;
  keyStart: number;
  valueKind: ValueKind;
  valueStart: number;
}

/**
 * Records the results of a scan. The scanner calls it only for tokens directly inside the innermost watched container.
 */
export class Tracker {
  /** Depth of the innermost watched container; deeper tokens are not reported. */
  depth = 0;
  readonly #plan: WatchPlan;
  #objects: (WatchedObject | undefined)[];
  #elements: Value[] | undefined;
  #elementCount = 0;
  #frame: Frame;
  #root: Value | undefined;
  #keyParts: Buffer[] | undefined;

  constructor(plan: WatchPlan) {
    this.#plan = plan;
    this.#objects = noObjects(plan);
    this.#frame = newFrame(undefined, plan.root, undefined, 0);
  }

  /** Returns the results for the complete text and resets the tracker. */
  take(): Scan {
    // The scanner ends only after a complete value, which has set the root.
    const root = this.#root as Value;
    const scan = { root, objects: this.#objects, elements: this.#elements ?? [], elementCount: this.#elementCount };
    this.#root = undefined;
    this.#objects = noObjects(this.#plan);
    this.#elements = undefined;
    this.#elementCount = 0;
    return scan;
  }

  keyStarts(at: number): void {
    this.#frame.keyStart = at;
  }

  /** The chunk ends inside the key. */
  keyPart(part: Buffer): void {
    this.#keyParts ??= [];
    this.#keyParts.push(part);
  }

  keyEnded(chunk: Buffer, from: number, to: number): void {
    const frame = this.#frame;
    let key: string;
    if (this.#keyParts === undefined) {
      key = commonKey(this.#plan.commonKeys[to - from], chunk, from) ?? keyText(chunk, from, to);
    } else {
      const whole = Buffer.concat([...this.#keyParts, chunk.subarray(from, to)]);
      this.#keyParts = undefined;
      key = keyText(whole, 0, whole.length);
    }
    frame.key = key;
    if (frame.members === undefined) return;
    if (frame.members.has(key)) throw new JsonFault("duplicate-key", frame.keyStart);
    if (frame.members.size >= MAX_WATCHED_MEMBERS) throw new JsonFault("too-many-keys", frame.keyStart);
  }

  valueStarts(kind: ValueKind, at: number): void {
    this.#frame.valueKind = kind;
    this.#frame.valueStart = at;
  }

  valueEnded(at: number): void {
    const frame = this.#frame;
    if (frame.members !== undefined) {
      frame.members.set(frame.key, {
        kind: frame.valueKind,
        start: frame.valueStart,
        end: at,
        keyStart: frame.keyStart,
      });
      return;
    }
    const value = { kind: frame.valueKind, start: frame.valueStart, end: at };
    if (frame.outer === undefined) {
      this.#root = value;
    } else if (this.#elementCount++ < this.#plan.elements) {
      this.#elements ??= [];
      this.#elements.push(value);
    }
  }

  /** An object or array starts. If it is watched, the tokens directly inside it are reported from now on. */
  opened(kind: ValueKind, at: number): void {
    const frame = this.#frame;
    this.valueStarts(kind, at);
    if (kind === "array") {
      if (frame.outer !== undefined || this.#plan.elements === 0) return;
      this.#frame = newFrame(frame, undefined, undefined, at);
    } else {
      const node = frame.outer === undefined ? frame.node : frame.node?.children.get(frame.key);
      if (node === undefined) return;
      this.#frame = newFrame(frame, node, new Map(), at);
    }
    this.depth++;
  }

  /** The innermost watched container ends at `end`. */
  closed(end: number): void {
    const { node, members, start, outer } = this.#frame;
    if (outer === undefined) return;
    if (members !== undefined && node !== undefined && node.index >= 0) {
      this.#objects[node.index] = { start, end, members };
    }
    this.#frame = outer;
    this.depth--;
  }
}

function noObjects({ size }: WatchPlan): (WatchedObject | undefined)[] {
  return new Array<WatchedObject | undefined>(size).fill(undefined);
}

function newFrame(
  outer: Frame | undefined,
  node: WatchNode | undefined,
  members: Map<string, Member> | undefined,
  start: number,
): Frame {
  return { outer, node, members, start, key: "", keyStart: 0, valueKind: "null", valueStart: 0 };
}

function commonKey(candidates: readonly CommonKey[] | undefined, chunk: Buffer, from: number): string | undefined {
  if (candidates === undefined) return undefined;
  for (const { bytes, text } of candidates) {
    let length = 0;
    while (length < bytes.length && bytes[length] === chunk[from + length]) length++;
    if (length === bytes.length) return text;
  }
  return undefined;
}

function keyText(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString("utf8", from, to);
  if (!text.includes("\\")) return text;
  // The scanner has validated the escapes, so this is a JSON string.
  return JSON.parse(`"${text}"`) as string;
}
