import { IconBolt } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar } from "../../components/filter-bar.tsx";
import { formatCount } from "../../components/quantities.ts";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type Agent, agentsKey, SESSION_STATUSES, type Session, TRIGGERS } from "./agents.ts";

const route = getRouteApi("/agents/$slug");

const STATUS_CHOICES = (
  ["queued", "running", "waiting_approval", "completed", "failed", "canceled", "timed_out"] as const
).map((value) => ({ value, label: SESSION_STATUSES[value].label }));
const TRIGGER_CHOICES = (["api", "schedule", "webhook"] as const).map((value) => ({ value, label: TRIGGERS[value] }));

export function AgentSessions({ agent: { slug } }: { agent: Agent }) {
  const api = useApi();
  const { status, trigger } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { status, trigger };
  const list = useCursorPages([...agentsKey, "sessions", slug, filters], (cursor, signal) =>
    api.listAgentSessions({ path: { slug }, query: { ...filters, cursor, limit: 100 }, signal }),
  );
  const filter = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const isFiltered = status !== undefined || trigger !== undefined;
  return (
    <>
      <FilterBar>
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={STATUS_CHOICES}
          onChange={(next) => filter({ status: next })}
        />
        <Choice
          label="Trigger"
          any="Any trigger"
          value={trigger}
          options={TRIGGER_CHOICES}
          onChange={(next) => filter({ trigger: next })}
        />
      </FilterBar>
      <DataTable
        label="Sessions"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: "/agents/$slug/sessions/$id", params: { slug, id } })}
        empty={
          <EmptyState icon={IconBolt} title={isFiltered ? "No matching sessions" : "No sessions yet"}>
            {isFiltered
              ? "No session has this status and trigger."
              : "Run the agent here, with the command line, or with the API."}
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Session>> = [
  {
    key: "input",
    header: "Input",
    render: ({ input }) => <span className="gh-truncate">{input}</span>,
  },
  {
    key: "status",
    header: "Status",
    width: "11rem",
    narrowWidth: "10.5rem",
    render: ({ status, created_at: at }) => (
      <>
        <StatusPill tone={SESSION_STATUSES[status].tone}>{SESSION_STATUSES[status].label}</StatusPill>
        <span className="gh-agent-narrow">
          <TimeAgo time={at} />
        </span>
      </>
    ),
  },
  {
    key: "calls",
    header: "Tool calls",
    width: "6rem",
    align: "right",
    hideBelow: "sm",
    render: ({ usage }) => formatCount(usage.tool_calls),
  },
  {
    key: "tokens",
    header: "Tokens",
    width: "6rem",
    align: "right",
    hideBelow: "md",
    render: ({ usage }) => formatCount(usage.input_tokens + usage.output_tokens),
  },
  {
    key: "trigger",
    header: "Trigger",
    width: "7rem",
    hideBelow: "md",
    render: ({ trigger }) => TRIGGERS[trigger],
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
    width: "6.5rem",
    hideBelow: "sm",
    render: ({ created_at: at }) => <TimeAgo time={at} />,
  },
];
