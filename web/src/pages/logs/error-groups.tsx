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

/** Calls that failed alike, each kind with how often and since when. */
export function ErrorGroups({ groups, onChoose }: { groups: readonly Group[]; onChoose: (group: Group) => void }) {
  const [isWhole, setWhole] = useState(false);
  // One more takes no more room than the words that there is one.
  const hidden = groups.length > FEW + 1 ? groups.length - FEW : 0;
  return (
    <>
      <ul className="gh-error-groups">
        {(isWhole || hidden === 0 ? groups : groups.slice(0, FEW)).map((group) => (
          <li key={`${group.server_slug} ${group.outcome} ${group.error}`}>
            <UnstyledButton onClick={() => onChoose(group)}>
              <span className="gh-error-count">{formatCount(group.calls)} ×</span>
              <span className="gh-error-words">{wordsOf(group)}</span>
              <StatusPill tone={OUTCOME_LABELS[group.outcome].tone}>{OUTCOME_LABELS[group.outcome].label}</StatusPill>
              <span className="gh-error-where">
                {group.server_slug ?? "no server"}, {sinceWords(group)}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {hidden > 0 && (
        <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show fewer" : `Show ${hidden} more`}
        </Button>
      )}
    </>
  );
}

function wordsOf({ error, outcome }: Group): string {
  return error ?? OUTCOME_LABELS[outcome].sentence;
}

function sinceWords({ calls, first_ts: first }: Group): string {
  return `${calls === 1 ? "at" : "since"} ${formatMoment(Date.parse(first), Date.now())}`;
}

/** What the address says to find the calls of a group. */
export function filtersOf({ server_slug: slug, outcome, error }: Group): Partial<CallFilters> {
  return { server: slug ?? undefined, outcome, error: error ?? undefined };
}
