import { IconBolt } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { formatCount } from "../../components/quantities.ts";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type Agent, agentsKey, SESSION_STATUSES, type Session } from "./agents.ts";

export function AgentSessions({ agent: { slug } }: { agent: Agent }) {
  const api = useApi();
  const list = useCursorPages([...agentsKey, "sessions", slug], (cursor, signal) =>
    api.listAgentSessions({ path: { slug }, query: { cursor, limit: 100 }, signal }),
  );
  return (
    <DataTable
      label="Sessions"
      list={list}
      columns={COLUMNS}
      rowKey={({ id }) => id}
      rowLink={({ id }) => ({ to: "/agents/$slug/sessions/$id", params: { slug, id } })}
      empty={
        <EmptyState icon={IconBolt} title="No sessions yet">
          Run the agent here, with the command line, or with the API.
        </EmptyState>
      }
    />
  );
}

const COLUMNS: ReadonlyArray<Column<Session>> = [
  { key: "input", header: "Input", render: ({ input }) => <span className="gh-truncate">{input}</span> },
  {
    key: "status",
    header: "Status",
    width: "13rem",
    narrowWidth: "9rem",
    render: ({ status }) => (
      <StatusPill tone={SESSION_STATUSES[status].tone}>{SESSION_STATUSES[status].label}</StatusPill>
    ),
  },
  {
    key: "calls",
    header: "Tool calls",
    width: "7rem",
    align: "right",
    hideBelow: "sm",
    render: ({ usage }) => formatCount(usage.tool_calls),
  },
  {
    key: "tokens",
    header: "Tokens",
    width: "7rem",
    align: "right",
    hideBelow: "md",
    render: ({ usage }) => formatCount(usage.input_tokens + usage.output_tokens),
  },
  {
    key: "by",
    header: "Started by",
    width: "16%",
    hideBelow: "md",
    render: ({ requested_by: name }) => <span className="gh-truncate">{name}</span>,
  },
  {
    key: "created",
    header: "Started",
    width: "8rem",
    hideBelow: "sm",
    render: ({ created_at: at }) => <TimeAgo time={at} />,
  },
];
