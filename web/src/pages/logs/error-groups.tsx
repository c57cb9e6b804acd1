import { Button, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { formatCount } from "../../components/quantities.ts";
import { StatusPill } from "../../components/status-pill.tsx";
import { OUTCOME_LABELS } from "./call-labels.ts";
import type { CallFilters } from "./calls.ts";
import { formatMoment } from "./time-range.ts";
import "./error-groups.css";

export type Group = Schemas["LogErrorGroup"];

const FEW = 3;

/** Failed calls, grouped by error, with their number and first occurrence. */
export function ErrorGroups({ groups, onChoose }: { groups: readonly Group[]; onChoose: (group: Group) => void }) {
  const [isExpanded, setExpanded] = useState(false);
  // A single hidden group would take as much space as the button.
  const hidden = groups.length > FEW + 1 ? groups.length - FEW : 0;
  return (
    <>
      <ul className="gh-error-groups">
        {(isExpanded || hidden === 0 ? groups : groups.slice(0, FEW)).map((group) => (
          <li key={`${group.server_slug} ${group.outcome} ${group.error}`}>
            <UnstyledButton onClick={() => onChoose(group)}>
              <span className="gh-error-count">{formatCount(group.calls)} ×</span>
              <span className="gh-error-text">{textOf(group)}</span>
              <StatusPill tone={OUTCOME_LABELS[group.outcome].tone}>{OUTCOME_LABELS[group.outcome].label}</StatusPill>
              <span className="gh-error-where">
                {group.server_slug ?? "no server"}, {sinceText(group)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? "Show fewer" : `Show ${hidden} more`}
        </Button>
      )}
    </>
  );
}

function textOf({ error, outcome }: Group): string {
  return error ?? OUTCOME_LABELS[outcome].sentence;
}

function sinceText({ calls, first_ts: first }: Group): string {
  return `${calls === 1 ? "at" : "since"} ${formatMoment(Date.parse(first), Date.now())}`;
}

/** The filters that find the calls of a group. */
export function filtersOf({ server_slug: slug, outcome, error }: Group): Partial<CallFilters> {
  return { server: slug ?? undefined, outcome, error: error ?? undefined };
}
