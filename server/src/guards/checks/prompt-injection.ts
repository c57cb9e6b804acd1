import type { LiteralRegistry } from "../text/literal-scanner.ts";
import { findHiddenCharacters } from "./hidden-characters.ts";
import { HIDDEN_COMMENT, HIDDEN_COMMENT_WEIGHT, INJECTION_SIGNALS, type Signal } from "./injection-signals.ts";
import { replacementFor, type TextCheck, type TextForm } from "./text-check.ts";

const REPLACEMENT = replacementFor("prompt_injection");

export interface Evidence {
  readonly start: number;
  readonly end: number;
  readonly weight: number;
}

/** Collects the phrases of a text that address a model. Their weights add up; a signal counts once. */
export class InjectionDetector {
  readonly #signals: readonly (Signal & { readonly ids: readonly number[] })[];
  readonly #comment: number;
  readonly triggers: readonly number[];

  constructor(literals: LiteralRegistry) {
    this.#signals = INJECTION_SIGNALS.map((signal) => ({
      ...signal,
      ids: signal.literals.map((literal) => literals.add(literal)),
    }));
    this.#comment = literals.add("<!--");
    this.triggers = [...this.#signals.flatMap(({ ids }) => ids), this.#comment];
  }

  evidence(form: TextForm): { readonly evidence: readonly Evidence[]; readonly total: number } {
    const evidence: Evidence[] = [];
    let total = 0;
    if (form.hits.hasAny(this.triggers)) {
      for (const { ids, pattern, weight } of this.#signals) {
        if (form.hits.hasAny(ids)) total += collect(form.lower, pattern, weight, evidence);
      }
      if (form.hits.positions(this.#comment).length > 0) {
        total += collect(form.lower, HIDDEN_COMMENT, HIDDEN_COMMENT_WEIGHT, evidence);
      }
    }
    let hidden = 0;
    if (form.profile.needsNormalization) {
      findHiddenCharacters(form.text, (start, end, weight) => {
        hidden = Math.max(hidden, weight);
        evidence.push({ start, end, weight });
      });
    }
    return { evidence, total: total + hidden };
  }
}

function collect(text: string, pattern: RegExp, weight: number, evidence: Evidence[]): number {
  let found = 0;
  for (const match of text.matchAll(pattern)) {
    evidence.push({ start: match.index, end: match.index + match[0].length, weight });
    found = weight;
  }
  return found;
}

export function createPromptInjectionCheck(literals: LiteralRegistry): TextCheck {
  const detector = new InjectionDetector(literals);
  return {
    triggers: undefined,
    minDigits: 0,
    readsBase64: true,
    scan(form, report) {
      const { evidence, total } = detector.evidence(form);
      const certainty = Math.min(10, total);
      for (const { start, end } of evidence) report(start, end, certainty, REPLACEMENT);
    },
  };
}
