import { Tooltip } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import { ACTION_LABELS, type Action, RISK_LABELS, riskTone } from "./discovery.ts";

export function ActionPill({ action }: { action: Action | null }) {
  if (action === null) return <span className="gh-dim">–</span>;
  const { label, tone } = ACTION_LABELS[action];
  return <StatusPill tone={tone}>{label}</StatusPill>;
}

/** The score, with its reasons in a tooltip. */
export function RiskPill({ risk }: { risk: { readonly score: number; readonly reasons: readonly string[] } }) {
  const reasons = risk.reasons.map((reason) => RISK_LABELS[reason] ?? reason).join(", ");
  return (
    <Tooltip label={reasons || "No known risk"} multiline maw={320}>
      <span>
        <StatusPill tone={riskTone(risk.score)}>{String(risk.score)}</StatusPill>
      </span>
    </Tooltip>
  );
}
