import { CALL_GUARD_ACTIONS } from "#lib/call-vocabulary";
import type { MetaMember } from "../envelope/answer.ts";
import { META_GUARD } from "../envelope/meta-keys.ts";
import type { GuardReport } from "../snapshot/shape.ts";

/** The log has one row per call, so it does not list everything that a large payload contains. */
const MAX_FINDINGS = 50;

/** The stronger action decides which guard is named; of two equal ones, the earlier. */
export function combineReports(
  earlier: GuardReport | undefined,
  later: GuardReport | undefined,
): GuardReport | undefined {
  if (earlier === undefined || later === undefined) return earlier ?? later;
  const strongest =
    CALL_GUARD_ACTIONS.indexOf(later.action) > CALL_GUARD_ACTIONS.indexOf(earlier.action) ? later : earlier;
  return {
    ...strongest,
    approvalId: later.approvalId ?? earlier.approvalId,
    redactions: earlier.redactions + later.redactions,
    findings: [...earlier.findings, ...later.findings].slice(0, MAX_FINDINGS),
  };
}

/** The member of `_meta` for the caller; undefined if findings are only logged. */
export function guardMeta(report: GuardReport | undefined): MetaMember | undefined {
  if (report === undefined || report.action === "log" || report.slug === undefined) return undefined;
  const { slug, action, direction, redactions, approvalId } = report;
  const note = {
    ...{ slug, action, direction },
    ...(redactions > 0 && { redactions }),
    ...(approvalId !== undefined && { approval: approvalId }),
  };
  return { key: META_GUARD, json: JSON.stringify(note) };
}
