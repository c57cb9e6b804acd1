import type { Range } from "#lib/json/scan";
import type { CompiledGuard } from "./compile.ts";
import { type Leaf, mapOffsets, pathOf } from "./text/leaf.ts";

/** A finding at or above the threshold of its guard, before a decision. Plain data, so that a worker can send it. */
export interface RawFinding {
  /** Index of the guard in its set, and of the check in the guard. */
  readonly guard: number;
  readonly check: number;
  readonly certainty: number;
  readonly path: string;
  /** Offsets in the decoded text; both 0 for findings about the entire payload. */
  readonly start: number;
  readonly end: number;
  /** The first two characters and `…`; never more of the matched text. */
  readonly excerpt: string;
  readonly replacement: string;
  /** Bytes of the message that a redaction replaces; undefined if it cannot. */
  readonly bytes: Range | undefined;
  /** The keys of the object, if the text is one of them: a redacted key must stay unique. */
  readonly siblings: readonly string[] | undefined;
  /** Start of the text in the message; identifies it. */
  readonly leafStart: number;
}

interface Found {
  readonly guard: CompiledGuard;
  readonly check: number;
  readonly certainty: number;
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

const VISIBLE_CHARACTERS = 2;
/** A guard that finds more in one text has found the text. This bounds the memory for a pattern such as `.`. */
const MAX_PER_LEAF = 2_000;

/** Collects what checks find. Offsets become bytes in one pass per text, only where a guard redacts. */
export class FindingCollector {
  readonly #byLeaf = new Map<Leaf, Found[]>();
  readonly #counts = new Map<Leaf, Map<number, number>>();
  readonly #whole: RawFinding[] = [];
  readonly #scores = new Map<number, number>();

  add(guard: CompiledGuard, check: number, leaf: Leaf, span: Range, certainty: number, replacement = ""): void {
    if (!this.#score(guard, certainty)) return;
    const count = this.#count(guard, leaf);
    if (count > MAX_PER_LEAF) return;
    const found =
      count < MAX_PER_LEAF
        ? { guard, check, certainty, start: span.start, end: span.end, replacement }
        : { guard, check, certainty, start: 0, end: leaf.text.length, replacement };
    const list = this.#byLeaf.get(leaf);
    if (list === undefined) this.#byLeaf.set(leaf, [found]);
    else list.push(found);
  }

  /** A finding about the payload, not about a text in it. */
  addWhole(guard: CompiledGuard, check: number, certainty: number, path: string): void {
    if (!this.#score(guard, certainty)) return;
    this.#whole.push({
      ...{ guard: guard.index, check, certainty, path, start: 0, end: 0, excerpt: "", replacement: "" },
      ...{ bytes: undefined, siblings: undefined, leafStart: -1 },
    });
  }

  finish(
    guards: readonly CompiledGuard[],
    byteAt: (offset: number) => number,
  ): { readonly findings: RawFinding[]; readonly scores: ReadonlyMap<number, number> } {
    if (this.#byLeaf.size === 0) return { findings: this.#whole, scores: this.#scores };
    const redacting = new Set(
      guards.filter(({ definition }) => definition.action === "redact").map(({ index }) => index),
    );
    const findings = [...this.#whole];
    for (const [leaf, found] of this.#byLeaf) findings.push(...finishLeaf(leaf, found, redacting, byteAt));
    return { findings, scores: this.#scores };
  }

  /** How many findings the guard has in this text, with the new one. */
  #count({ index }: CompiledGuard, leaf: Leaf): number {
    let counts = this.#counts.get(leaf);
    if (counts === undefined) {
      counts = new Map();
      this.#counts.set(leaf, counts);
    }
    const count = (counts.get(index) ?? 0) + 1;
    counts.set(index, count);
    return count;
  }

  /** Returns whether the guard fires. */
  #score({ index, definition }: CompiledGuard, certainty: number): boolean {
    if (certainty > (this.#scores.get(index) ?? 0)) this.#scores.set(index, certainty);
    return certainty >= definition.threshold;
  }
}

function finishLeaf(
  leaf: Leaf,
  all: readonly Found[],
  redacting: ReadonlySet<number>,
  byteAt: (offset: number) => number,
): RawFinding[] {
  const found = withoutDuplicates(all);
  const redacted = leaf.kind === "value" ? found.filter(({ guard }) => redacting.has(guard.index)) : [];
  // A key is replaced entirely: only then is it certain that keys stay unique. Numbers are never changed.
  const whole = leaf.kind === "key" ? () => ({ start: leaf.start, end: leaf.end }) : undefined;
  const toBytes = redacted.length === 0 ? whole : mapOffsets(leaf, byteAt, redacted);
  const path = pathOf(leaf);
  return found.map(({ guard, check, certainty, start, end, replacement }) => ({
    ...{ guard: guard.index, check, certainty, path, start, end, replacement },
    excerpt: maskedExcerpt(leaf.text, start, end),
    bytes: redacting.has(guard.index) ? toBytes?.(start, end) : undefined,
    siblings: leaf.kind === "key" ? leaf.container?.keys : undefined,
    leafStart: leaf.start,
  }));
}

/** The original and the normalized text usually lead to the same finding; the more certain one stays. */
function withoutDuplicates(found: readonly Found[]): Found[] {
  const byPlace = new Map<string, Found>();
  for (const each of found) {
    const place = `${each.guard.index}:${each.check}:${each.start}:${each.end}`;
    const known = byPlace.get(place);
    if (known === undefined || known.certainty < each.certainty) byPlace.set(place, each);
  }
  return [...byPlace.values()];
}

export function maskedExcerpt(text: string, start: number, end: number): string {
  const matched = text.slice(start, Math.min(end, start + 2 * VISIBLE_CHARACTERS + 1));
  const characters = [...matched];
  return characters.length <= VISIBLE_CHARACTERS ? "…" : `${characters.slice(0, VISIBLE_CHARACTERS).join("")}…`;
}
