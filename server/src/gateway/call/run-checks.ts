import type { Edit } from "#lib/json/splice";
import type { Verdict } from "../snapshot/shape.ts";
import { mergeEdits } from "./merge-edits.ts";

/** The combined decision of all checks of a step. */
export type CheckOutcome =
  /** Edits are sorted and do not overlap. */
  | { readonly kind: "passed"; readonly edits: readonly Edit[] }
  | { readonly kind: "blocked"; readonly message: string }
  /** A check failed. A call that cannot be checked does not continue. */
  | { readonly kind: "failed"; readonly error: unknown };

type Run<Check> = (check: Check) => Verdict | Promise<Verdict>;

/** Runs the checks in order until one blocks. Returns a promise only if a check is asynchronous. */
export function runChecks<Check>(checks: readonly Check[], run: Run<Check>): CheckOutcome | Promise<CheckOutcome> {
  const edits: Edit[] = [];
  try {
    for (const [index, check] of checks.entries()) {
      const verdict = run(check);
      if (verdict instanceof Promise) return runRemaining(verdict, checks.slice(index + 1), run, edits);
      if (verdict?.kind === "block") return { kind: "blocked", message: verdict.message };
      if (verdict) edits.push(...verdict.edits);
    }
    return { kind: "passed", edits: mergeEdits(edits) };
  } catch (error) {
    return { kind: "failed", error };
  }
}

async function runRemaining<Check>(
  pending: Promise<Verdict>,
  checks: readonly Check[],
  run: Run<Check>,
  edits: Edit[],
): Promise<CheckOutcome> {
  try {
    const verdict = await pending;
    if (verdict?.kind === "block") return { kind: "blocked", message: verdict.message };
    if (verdict) edits.push(...verdict.edits);
    for (const check of checks) {
      const next = await run(check);
      if (next?.kind === "block") return { kind: "blocked", message: next.message };
      if (next) edits.push(...next.edits);
    }
    return { kind: "passed", edits: mergeEdits(edits) };
  } catch (error) {
    return { kind: "failed", error };
  }
}
