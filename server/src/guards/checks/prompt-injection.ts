import { findHiddenCharacters } from "#policy/hidden-characters";
import { allMatches } from "../text/all-matches.ts";
import type { LiteralRegistry } from "../text/literal-scanner.ts";
import { INJECTION_SIGNALS, type Signal } from "./injection-signals.ts";
import { replacementFor, type TextCheck, type TextForm } from "./text-check.ts";

const NONE: readonly CompiledSignal[] = [];
const REPLACEMENT = replacementFor("prompt_injection");

export interface Evidence {
  readonly start: number;
  readonly end: number;
  readonly weight: number;
}

/** The longest phrase of a signal is shorter, so it lies within this distance of its literals. */
const WINDOW = 450;

interface CompiledSignal extends Signal {
  readonly ids: readonly number[];
}

/** Collects the phrases of a text that address a model. Their weights add up; a signal counts once. */
export class InjectionDetector {
  readonly #byLiteral = new Map<number, CompiledSignal[]>();

  constructor(literals: LiteralRegistry) {
    for (const signal of INJECTION_SIGNALS) {
      const compiled = { ...signal, ids: signal.literals.map((literal) => literals.add(literal)) };
      for (const id of compiled.ids) this.#byLiteral.set(id, [...(this.#byLiteral.get(id) ?? NONE), compiled]);
    }
  }

  evidence(form: TextForm): { readonly evidence: readonly Evidence[]; readonly total: number } {
    const evidence: Evidence[] = [];
    let total = 0;
    for (const signal of this.#candidates(form)) total += collect(form, signal, evidence);
    let hidden = 0;
    if (form.profile.needsNormalization) {
      findHiddenCharacters(form.text, (start, end, weight) => {
        hidden = Math.max(hidden, weight);
        evidence.push({ start, end, weight });
      });
    }
    return { evidence, total: total + hidden };
  }

  /** The signals of which a literal occurs. */
  #candidates({ hits }: TextForm): Iterable<CompiledSignal> {
    let found: Set<CompiledSignal> | undefined;
    for (const id of hits.ids) {
      for (const signal of this.#byLiteral.get(id) ?? NONE) {
        found ??= new Set();
        found.add(signal);
      }
    }
    return found ?? NONE;
  }
}

/** Adds the phrases of one signal; returns its weight if there are any. */
function collect({ lower, hits }: TextForm, { ids, pattern, weight }: CompiledSignal, evidence: Evidence[]): number {
  let found = 0;
  for (const window of hits.windows(ids, lower.length, WINDOW, WINDOW)) {
    for (const match of allMatches(pattern, lower.slice(window.start, window.end))) {
      const start = window.start + match.index;
      evidence.push({ start, end: start + match[0].length, weight });
      found = weight;
    }
  }
  return found;
}

export function createPromptInjectionCheck(literals: LiteralRegistry): TextCheck {
  const detector = new InjectionDetector(literals);
  return {
    triggers: undefined,
    minLength: 6,
    minDigits: 0,
    readsBase64: true,
    scan(form, report) {
      const { evidence, total } = detector.evidence(form);
      const certainty = Math.min(10, total);
      for (const { start, end } of evidence) report(start, end, certainty, REPLACEMENT);
    },
  };
}
