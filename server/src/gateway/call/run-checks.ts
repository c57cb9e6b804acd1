import type { Edit } from "#lib/json/splice";
import { mergeEdits } from "../envelope/merge-edits.ts";
import type { CheckedCall, CheckTarget, GuardReport, HoldingGuard, Verdict } from "../snapshot/shape.ts";
import { combineReports } from "./guard-reports.ts";

/** The combined decision of all checks of a step. */
export type CheckOutcome =
  /** Edits are sorted and do not overlap. */
  | { readonly kind: "passed"; readonly edits: readonly Edit[]; readonly report: GuardReport | undefined }
  | { readonly kind: "blocked"; readonly message: string; readonly report: GuardReport | undefined }
  /** The call waits until a person approves it, then continues with the edits. */
  | {
      readonly kind: "held";
      readonly guard: HoldingGuard;
      readonly edits: readonly Edit[];
      readonly report: GuardReport | undefined;
    }
  /** A check failed. A call that cannot be checked does not continue. */
  | { readonly kind: "failed"; readonly error: unknown };

/** The part of a call that checks need. `checked` is only read if a check covers the call. */
export interface CheckableCall extends CheckTarget {
  readonly checked: CheckedCall;
}

interface Check<Subject> {
  covers?(target: CheckTarget): boolean;
  check(call: CheckedCall, subject: Subject): Verdict | Promise<Verdict>;
}

const PASSED: CheckOutcome = { kind: "passed", edits: [], report: undefined };

/**
 * Runs the checks in order until one blocks. Returns a promise only if a check is asynchronous, and allocates nothing if
 * no check covers the call.
 */
export function runChecks<Subject>(
  checks: readonly Check<Subject>[],
  call: CheckableCall,
  subject: Subject,
): CheckOutcome | Promise<CheckOutcome> {
  let passed: Passed | undefined;
  try {
    for (let at = 0; at < checks.length; at++) {
      const check = checks[at];
      if (check === undefined || check.covers?.(call) === false) continue;
      const verdict = check.check(call.checked, subject);
      if (verdict instanceof Promise)
        return runRemaining(verdict, checks.slice(at + 1), call, subject, passed ?? new Passed());
      if (verdict?.kind === "block") return blocked(verdict);
      if (verdict) {
        passed ??= new Passed();
        passed.add(verdict);
      }
    }
    return passed === undefined ? PASSED : passed.outcome;
  } catch (error) {
    return { kind: "failed", error };
  }
}

async function runRemaining<Subject>(
  pending: Promise<Verdict>,
  checks: readonly Check<Subject>[],
  call: CheckableCall,
  subject: Subject,
  passed: Passed,
): Promise<CheckOutcome> {
  try {
    const verdict = await pending;
    if (verdict?.kind === "block") return blocked(verdict);
    if (verdict) passed.add(verdict);
    for (const check of checks) {
      if (check.covers?.(call) === false) continue;
      const next = await check.check(call.checked, subject);
      if (next?.kind === "block") return blocked(next);
      if (next) passed.add(next);
    }
    return passed.outcome;
  } catch (error) {
    return { kind: "failed", error };
  }
}

class Passed {
  readonly #edits: Edit[] = [];
  #report: GuardReport | undefined;
  #guard: HoldingGuard | undefined;

  add(verdict: Extract<Verdict, { kind: "edit" | "hold" }>): void {
    this.#edits.push(...verdict.edits);
    this.#report = combineReports(this.#report, verdict.report);
    if (verdict.kind === "hold") this.#guard ??= verdict.guard;
  }

  get outcome(): CheckOutcome {
    const checked = { edits: mergeEdits(this.#edits), report: this.#report };
    return this.#guard ? { kind: "held", guard: this.#guard, ...checked } : { kind: "passed", ...checked };
  }
}

function blocked({ message, report }: Extract<Verdict, { kind: "block" }>): CheckOutcome {
  return { kind: "blocked", message, report };
}
