import type { TextCheck, TextForm } from "./checks/text-check.ts";
import type { ToolPoisoningCheck } from "./checks/tool-poisoning.ts";
import type { CompiledGuard } from "./compile.ts";

interface Planned<Check> {
  readonly guard: CompiledGuard;
  readonly index: number;
  readonly check: Check;
}

/** All text checks of a selection of guards, by the literals that they need. */
export class ScanPlan {
  readonly poisoning: readonly Planned<ToolPoisoningCheck>[];
  readonly #always: readonly Planned<TextCheck>[];
  readonly #withKey: readonly Planned<TextCheck>[];
  readonly #byLiteral = new Map<number, Planned<TextCheck>[]>();
  readonly #minLength: number;
  readonly #isEmpty: boolean;

  constructor(guards: readonly CompiledGuard[]) {
    const texts = guards.flatMap((guard) => guard.texts.map(({ index, check }) => ({ guard, index, check })));
    this.poisoning = guards.flatMap((guard) => guard.poisoning.map(({ index, check }) => ({ guard, index, check })));
    this.#always = texts.filter(({ check }) => check.triggers === undefined);
    this.#withKey = texts.filter(({ check }) => check.keyTrigger !== undefined);
    for (const planned of texts) {
      for (const id of planned.check.triggers ?? []) {
        const list = this.#byLiteral.get(id);
        if (list === undefined) this.#byLiteral.set(id, [planned]);
        else list.push(planned);
      }
    }
    const lengths = [...texts.map(({ check }) => check.minLength), ...this.poisoning.map(() => 1)];
    this.#isEmpty = lengths.length === 0;
    this.#minLength = Math.min(Number.POSITIVE_INFINITY, ...lengths);
  }

  /** Whether no check can find anything in the text. Short texts hide something only in characters outside of ASCII. */
  skips(text: string): boolean {
    if (text.length >= this.#minLength) return false;
    for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) >= 0x80) return this.#isEmpty;
    return true;
  }

  /** The checks that are worth running: each once. */
  checksFor(form: TextForm): Iterable<Planned<TextCheck>> {
    let triggered: Set<Planned<TextCheck>> | undefined;
    for (const id of form.hits.ids) {
      for (const planned of this.#byLiteral.get(id) ?? []) {
        triggered ??= new Set(this.#always);
        triggered.add(planned);
      }
    }
    if (form.key !== "") {
      for (const planned of this.#withKey) {
        if (planned.check.keyTrigger?.test(form.key) !== true) continue;
        triggered ??= new Set(this.#always);
        triggered.add(planned);
      }
    }
    return triggered ?? this.#always;
  }
}

/** Selections of the same guards are the same list, so each plan is made once. */
const plans = new WeakMap<readonly CompiledGuard[], ScanPlan>();

export function planFor(guards: readonly CompiledGuard[]): ScanPlan {
  let plan = plans.get(guards);
  if (plan === undefined) {
    plan = new ScanPlan(guards);
    plans.set(guards, plan);
  }
  return plan;
}
