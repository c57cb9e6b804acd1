import { IconActivity } from "@tabler/icons-react";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { OUTCOME_LABELS } from "../logs/call-labels.ts";
import type { Detail } from "./servers.ts";

type Call = Schemas["LogEntry"];

/** The latest calls of one server. The Logs page has filters and details. */
export function ServerCalls({ server: { slug } }: { server: Detail }) {
  const api = useApi();
  const list = useCursorPages(["logs", "of-server", slug], (cursor, signal) =>
    api.listLogs({ query: { server: slug, cursor, limit: 50 }, signal }),
  );
  return (
    <>
      <FilterBar>
        <LinkButton to="/logs" search={{ server: slug }} variant="default">
          Open in Logs
        </LinkButton>
      </FilterBar>
      <DataTable
        label="Calls"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        empty={
          <EmptyState icon={IconActivity} title="No calls yet">
            Calls to its tools appear here with the caller and the outcome.
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Call>> = [
  { key: "ts", header: "Time", width: "8.5rem", narrowWidth: "6rem", render: ({ ts }) => <TimeAgo time={ts} /> },
  { key: "tool", header: "Tool", render: ({ tool, method }) => <code>{tool ?? method}</code> },
  { key: "user", header: "User", hideBelow: "sm", render: ({ user_email: email }) => email },
  {
    key: "outcome",
    header: "Outcome",
    width: "9rem",
    narrowWidth: "6.5rem",
    render: ({ outcome, error }) => (
      <span title={error ?? undefined}>
        <StatusPill tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</StatusPill>
      </span>
    ),
  },
  {
    key: "duration",
    header: "Duration",
    width: "6rem",
    align: "right",
    hideBelow: "sm",
    render: ({ duration_ms: ms }) => `${Math.round(ms)} ms`,
  },
];
