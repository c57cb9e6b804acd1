import { isObject } from "#lib/is-object";
import { JsonFault, type JsonFaultKind } from "#lib/json/scan";
import { type Report, TextForm } from "./checks/text-check.ts";
import { CHANGED_CERTAINTY } from "./checks/tool-poisoning.ts";
import type { CompiledGuard, CompiledSet } from "./compile.ts";
import { TimeUp } from "./deadline.ts";
import { FindingCollector, type RawFinding } from "./findings.ts";

import type { Payload } from "./payload.ts";
import { planFor, type ScanPlan } from "./scan-plan.ts";
import { decodeBase64Runs } from "./text/base64.ts";
import { type Extraction, type ExtractLimits, extractLeaves } from "./text/extract.ts";
import type { Leaf } from "./text/leaf.ts";
import { normalizeText } from "./text/normalize.ts";
import { MIN_BASE64_LENGTH, profileOf } from "./text/profile.ts";

/** The part of a payload that an examination needs, so that it can be sent to a worker. */
export interface ScanInput extends Pick<Payload, "prefix" | "skipBinary" | "schemaTarget" | "tool"> {
  /** The JSON value, and its position in the message. */
  readonly bytes: Buffer;
  readonly base: number;
}

export interface ScanResult {
  readonly findings: readonly RawFinding[];
  /** Highest certainty per guard of the set, also below the threshold. */
  readonly scores: ReadonlyMap<number, number>;
  /** Guards whose local checks failed. */
  readonly failed: readonly number[];
  /** Whether the limits excluded text. */
  readonly oversize: boolean;
  /** The payload cannot be examined, because parsers would read it differently. */
  readonly fault: JsonFaultKind | undefined;
  readonly leaves: readonly Leaf[];
}

const NOTHING_EXTRACTED: Extraction = { leaves: [], textLength: 0, oversize: false };

/** Whether the guards need more than the size of a payload. */
export function readsText(guards: readonly CompiledGuard[]): boolean {
  return guards.some(({ texts, poisoning, schemas, remotes }) => {
    return texts.length + poisoning.length + schemas.length + remotes.length > 0;
  });
}

/** Longer texts are worth looking at the clock. */
const CHECK_CLOCK_ABOVE = 2048;

/** Runs all local checks of the guards. Synchronous; throws TimeUp when the set's deadline has passed. */
export function scanPayload(
  set: CompiledSet,
  guards: readonly CompiledGuard[],
  input: ScanInput,
  limits: ExtractLimits,
): ScanResult {
  const collector = new FindingCollector();
  const nothing = { findings: [], scores: new Map(), failed: [], oversize: false, leaves: [] };
  let extraction: Extraction = NOTHING_EXTRACTED;
  try {
    if (readsText(guards)) extraction = extractLeaves(input.bytes, input.base, { ...input, ...limits });
  } catch (error) {
    if (error instanceof JsonFault) return { ...nothing, fault: error.kind };
    throw error;
  }
  const scan = new Scan(set, guards, input, collector);
  scan.whole();
  for (const leaf of extraction.leaves) scan.leaf(leaf);
  const { findings, scores } = collector.finish(guards, (at) => input.bytes[at - input.base] ?? 0);
  const { oversize, leaves } = extraction;
  return { findings, scores, failed: [...scan.failed], oversize, fault: undefined, leaves };
}

class Scan {
  readonly failed = new Set<number>();
  readonly #set: CompiledSet;
  readonly #guards: readonly CompiledGuard[];
  readonly #input: ScanInput;
  readonly #collector: FindingCollector;
  readonly #plan: ScanPlan;

  constructor(set: CompiledSet, guards: readonly CompiledGuard[], input: ScanInput, collector: FindingCollector) {
    this.#set = set;
    this.#guards = guards;
    this.#input = input;
    this.#collector = collector;
    this.#plan = planFor(guards);
  }

  /** Checks that see the entire payload. */
  whole(): void {
    const { bytes, tool } = this.#input;
    let parsed: { readonly value: unknown } | undefined;
    for (const guard of this.#guards) {
      for (const { index, check: maxBytes } of guard.sizes) {
        if (bytes.length > maxBytes) this.#collector.addWhole(guard, index, certaintyOf(guard, index), "");
      }
      if (guard.schemas.length > 0) {
        parsed ??= { value: JSON.parse(bytes.toString("utf8")) };
        this.#schemas(guard, parsed.value);
      }
      for (const { index } of guard.poisoning) {
        if (tool?.changed) this.#collector.addWhole(guard, index, CHANGED_CERTAINTY, "");
      }
    }
  }

  #schemas(guard: CompiledGuard, value: unknown): void {
    const { schemaTarget, prefix } = this.#input;
    const target = schemaTarget === "structuredContent" && isObject(value) ? value.structuredContent : value;
    if (target === undefined) return;
    const start = schemaTarget === "structuredContent" ? schemaTarget : prefix;
    for (const { index, check } of guard.schemas) {
      if (check.target !== schemaTarget) continue;
      for (const path of this.#try(guard, () => check.validate(target)) ?? []) {
        const parts = [start, path].filter((part) => part !== "");
        this.#collector.addWhole(guard, index, certaintyOf(guard, index), parts.join("."));
      }
    }
  }

  leaf(leaf: Leaf): void {
    if (this.#plan.skips(leaf.text)) return;
    if (leaf.text.length > CHECK_CLOCK_ABOVE) this.#set.deadline.check();
    const { literals } = this.#set;
    const { text } = leaf;
    const profile = profileOf(text);
    this.#form(leaf, new TextForm(text, profile, literals.scan(text), leaf), undefined);
    const normal = profile.needsNormalization ? normalizeText(text) : undefined;
    if (normal !== undefined) {
      const form = new TextForm(normal.text, profileOf(normal.text), literals.scan(normal.text), leaf);
      this.#form(leaf, form, (start, end) => normal.toOriginal({ start, end }));
    }
    if (profile.longestRun >= MIN_BASE64_LENGTH) this.#encoded(leaf);
  }

  #encoded(leaf: Leaf): void {
    for (const { text, start, end } of decodeBase64Runs(leaf.text)) {
      const form = new TextForm(text, profileOf(text), this.#set.literals.scan(text), leaf, false);
      this.#form(leaf, form, () => ({ start, end }), true);
    }
  }

  #form(leaf: Leaf, form: TextForm, toOriginal: ToOriginal | undefined, isDecoded = false): void {
    // One function for all checks of the form: it reports for the check that runs now.
    let current: { readonly guard: CompiledGuard; readonly index: number } | undefined;
    const report: Report = (start, end, certainty, replacement) => {
      if (current === undefined) return;
      const span = toOriginal === undefined ? { start, end } : toOriginal(start, end);
      this.#collector.add(current.guard, current.index, leaf, span, certainty, replacement);
    };
    for (const planned of this.#plan.checksFor(form)) {
      const { check } = planned;
      if (form.profile.digits < check.minDigits || (isDecoded && !check.readsBase64)) continue;
      current = planned;
      try {
        check.scan(form, report);
      } catch (error) {
        this.#fail(planned.guard, error);
      }
    }
    for (const planned of this.#plan.poisoning) {
      current = planned;
      this.#try(planned.guard, () => planned.check.scan(form, this.#input.tool, report));
    }
  }

  #try<Result>(guard: CompiledGuard, run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      return this.#fail(guard, error);
    }
  }

  /** A defect in one check must not affect other guards; the guard's `on_error` decides. */
  #fail(guard: CompiledGuard, error: unknown): undefined {
    if (error instanceof TimeUp) throw error;
    this.failed.add(guard.index);
    return undefined;
  }
}

type ToOriginal = (start: number, end: number) => { readonly start: number; readonly end: number };

function certaintyOf({ definition }: CompiledGuard, index: number): number {
  return definition.checks[index]?.certainty ?? 10;
}
