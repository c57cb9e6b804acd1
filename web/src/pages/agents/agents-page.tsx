import { Button } from "@mantine/core";
import { IconBolt, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { nameColumn } from "../records/publication.tsx";
import { AGENT_STATUSES, type Agent, agentsKey, platformLabel, SESSION_STATUSES } from "./agents.ts";
import { CreateAgentDialog } from "./create-agent-dialog.tsx";
import { ImportAgentsDialog } from "./import-agents-dialog.tsx";
import "./agents.css";

const route = getRouteApi("/agents");

export function AgentsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, status, add } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { q, status };
  const list = usePages([...agentsKey, "list", filters], (cursor, signal) =>
    api.listBackgroundAgents({ query: { search: q, status, cursor, limit: 100 }, signal }),
  );
  const filter = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const openAdd = (what: "agent" | "import" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const isFiltered = q !== undefined || status !== undefined;
  const create = changes && (
    <>
      <Button variant="default" onClick={() => openAdd("import")}>
        Import agents
      </Button>
      <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("agent")}>
        Create agent
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title="Agents"
        description="A background agent is a model with instructions that works without a person. It calls tools as a machine user, so groups, toolkits, guards, and approvals apply."
        actions={create}
      />
      <FilterBar>
        <SearchField label="Search agents" value={q} onChange={(next) => filter({ q: next })} />
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={(["active", "paused", "draft"] as const).map((value) => ({
            value,
            label: AGENT_STATUSES[value].label,
          }))}
          onChange={(next) => filter({ status: next })}
        />
      </FilterBar>
      <DataTable
        label="Agents"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/agents/$slug", params: { slug } })}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconBolt}
              title="No matching agents"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear filters
                </Button>
              }
            >
              The search covers names, slugs, and descriptions.
            </EmptyState>
          ) : (
            <EmptyState icon={IconBolt} title="No agents yet" actions={create}>
              Create an agent, add its machine user to a group, and run it.
            </EmptyState>
          )
        }
      />
      <CreateAgentDialog opened={add === "agent"} onClose={() => openAdd(undefined)} />
      <ImportAgentsDialog opened={add === "import"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Agent>> = [
  nameColumn<Agent>(({ description, slug }) => description || slug),
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ status, last_session: last }) => (
      <>
        <StatusPill tone={AGENT_STATUSES[status].tone}>{AGENT_STATUSES[status].label}</StatusPill>
        <span className="gh-agent-narrow">
          <TimeAgo time={last?.created_at ?? null} never="Never run" />
        </span>
      </>
    ),
  },
  {
    key: "model",
    header: "Model",
    width: "18%",
    hideBelow: "md",
    render: ({ model, platform, provider, resolved_provider: resolved }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{model ?? resolved?.model ?? "No provider"}</span>
        {platform !== "builtin" && <span className="gh-truncate">{platformLabel(platform)}</span>}
        {platform === "builtin" && !provider && <span className="gh-truncate">Default</span>}
      </span>
    ),
  },
  {
    key: "next",
    header: "Next run",
    width: "9rem",
    hideBelow: "md",
    render: ({ triggers: { schedule } }) =>
      schedule ? (
        <TimeAgo time={schedule.next_run_at} never="Not scheduled" />
      ) : (
        <span className="gh-dim">No schedule</span>
      ),
  },
  {
    key: "last",
    header: "Last run",
    width: "16rem",
    hideBelow: "sm",
    render: ({ last_session: last }) =>
      last ? (
        <span className="gh-agent-last">
          <StatusPill tone={SESSION_STATUSES[last.status].tone}>{SESSION_STATUSES[last.status].label}</StatusPill>
          <TimeAgo time={last.created_at} />
        </span>
      ) : (
        <span className="gh-dim">Never run</span>
      ),
  },
];
