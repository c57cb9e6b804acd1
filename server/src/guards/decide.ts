import type { CompiledGuard } from "./compile.ts";
import { GUARD_ACTIONS, type GuardAction } from "./definition.ts";
import { CLEAN, type Evaluation, type GuardError, type GuardResult, MAX_FINDINGS, toFinding } from "./evaluation.ts";
import type { RawFinding } from "./findings.ts";
import { redact } from "./redact.ts";
import type { ScanResult } from "./scan.ts";

interface Effect {
  readonly guard: CompiledGuard;
  readonly action: GuardAction | undefined;
  readonly error: GuardError | undefined;
  readonly result: GuardResult;
}

/** Decides about a payload. Every guard has seen the original text, so a redaction hides nothing from another guard. */
export function decide(
  guards: readonly CompiledGuard[],
  scan: ScanResult,
  errors: ReadonlyMap<number, GuardError>,
): Evaluation {
  if (scan.fault !== undefined) {
    const refused = scan.fault === "duplicate-key" ? "duplicate-key" : "malformed";
    return { ...CLEAN, action: "block", refused };
  }
  if (scan.scores.size === 0 && errors.size === 0) return CLEAN;
  const byGuard = Map.groupBy(scan.findings, ({ guard }) => guard);
  const effects: Effect[] = [];
  for (const guard of guards) {
    const score = scan.scores.get(guard.index) ?? 0;
    const error = errors.get(guard.index);
    if (score > 0 || error !== undefined) effects.push(effectOf(guard, byGuard.get(guard.index) ?? [], score, error));
  }
  return combine(effects, byGuard);
}

function effectOf(
  guard: CompiledGuard,
  findings: readonly RawFinding[],
  score: number,
  error: GuardError | undefined,
): Effect {
  const { slug, name, action, threshold, on_error: onError } = guard.definition;
  const blocks = error !== undefined && onError === "block";
  const fires = findings.length > 0;
  const result: GuardResult = {
    guard_slug: slug,
    guard_name: name,
    ...{ action, passed: !fires && !blocks, score, threshold },
    findings: findings.slice(0, MAX_FINDINGS).map((finding) => toFinding(finding, guard.definition)),
    finding_count: findings.length,
    ...(error === undefined ? {} : { error }),
  };
  // A finding explains a block better than an error.
  const effect = fires ? effectOfFindings(guard, findings) : undefined;
  if (blocks && effect !== "block") return { guard, action: "block", error, result };
  return { guard, action: effect, error: undefined, result };
}

/** What cannot be redacted is handled like a failure to redact it. */
function effectOfFindings({ definition }: CompiledGuard, findings: readonly RawFinding[]): GuardAction {
  const { action, on_error: onError } = definition;
  const isStuck = action === "redact" && findings.some(({ bytes }) => bytes === undefined);
  return isStuck && onError === "block" ? "block" : action;
}

function combine(effects: readonly Effect[], byGuard: ReadonlyMap<number, readonly RawFinding[]>): Evaluation {
  const strongest = effects.reduce<Effect | undefined>(
    (best, effect) => (rank(effect.action) > rank(best?.action) ? effect : best),
    undefined,
  );
  const results = effects.map(({ result }) => result);
  if (strongest === undefined) return { ...CLEAN, results };
  const { action, error } = strongest;
  const evaluation = { ...CLEAN, action, error, results, guard: strongest.guard.definition };
  if (action === "block") return evaluation;
  const redacting = effects.filter((effect) => effect.action === "redact").map(({ guard }) => guard);
  return redacting.length === 0 ? evaluation : { ...evaluation, ...redact(redacting, byGuard) };
}

function rank(action: GuardAction | undefined): number {
  return action === undefined ? -1 : GUARD_ACTIONS.indexOf(action);
}
