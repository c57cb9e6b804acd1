import { Button } from "@mantine/core";
import { IconListSearch } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { type Pages, usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import type { Sorting } from "../../components/table-head.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import {
  ACTION_LABELS,
  AGENT_KIND_LABELS,
  clientLabel,
  discoveryKey,
  type FoundAgent,
  type FoundMemory,
  type FoundServer,
  type FoundSkill,
  REVIEW_LABELS,
  type Tab,
  targetOf,
} from "./discovery.ts";
import { ItemPanel } from "./item-panel.tsx";
import { ActionPill, RiskPill } from "./pills.tsx";

const route = getRouteApi("/discovery/inventory");

const TABS = [
  { value: "servers", label: "MCP servers" },
  { value: "skills", label: "Skills" },
  { value: "memory", label: "Agent memory" },
  { value: "agents", label: "Agents" },
] as const;

export function InventoryPage() {
  const { tab = "servers" } = route.useSearch();
  return (
    <>
      <PageHeader
        title="Inventory"
        description="MCP servers, skills, agent memory, and agents that devices reported. Each item is listed once for all devices."
      />
      <UrlTabs label="Kinds" tabs={TABS} value={tab} />
      <Filters tab={tab} />
      {tab === "servers" && <Servers />}
      {tab === "skills" && <Skills />}
      {tab === "memory" && <Memory />}
      {tab === "agents" && <Agents />}
    </>
  );
}

/** The riskiest items come first unless the URL has another order. */
function useSort() {
  const { tab, sort = tab === "agents" ? "devices" : "risk", order = "desc" } = route.useSearch();
  return { sort, order };
}

function useFilters() {
  const { q, action, review, managed, risk, device, client } = route.useSearch();
  return {
    ...{ search: q, action, review_status: review, managed, device_id: device, client, ...useSort() },
    min_risk: risk === undefined ? undefined : Number(risk),
  };
}

const options = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  (Object.entries(labels) as [Value, string][]).map(([value, label]) => ({ value, label }));
const ACTIONS = options({
  allow: ACTION_LABELS.allow.label,
  warn: ACTION_LABELS.warn.label,
  block: ACTION_LABELS.block.label,
});
const MANAGED = options({ false: "Not managed", true: "Managed" });
const RISKS = options({ "50": "High risk", "25": "Medium or high risk" });

function Filters({ tab }: { tab: Tab }) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const set = (patch: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...patch, item: undefined }), replace: true });
  const isDecided = tab === "servers" || tab === "skills";
  return (
    <FilterBar>
      <SearchField label="Search the inventory" value={search.q} onChange={(q) => set({ q })} />
      {isDecided && (
        <Choice
          label="Policy"
          any="Any decision"
          value={search.action}
          options={ACTIONS}
          onChange={(action) => set({ action })}
        />
      )}
      {isDecided && (
        <Choice
          label="Managed"
          any="Managed or not"
          value={search.managed}
          options={MANAGED}
          onChange={(managed) => set({ managed })}
        />
      )}
      {tab !== "agents" && (
        <Choice label="Risk" any="Any risk" value={search.risk} options={RISKS} onChange={(risk) => set({ risk })} />
      )}
      <Choice
        label="Review"
        any="Any review"
        value={search.review}
        options={options(REVIEW_LABELS)}
        onChange={(review) => set({ review })}
      />
    </FilterBar>
  );
}

function Servers() {
  const api = useApi();
  const filters = useFilters();
  const list = usePages([...discoveryKey, "servers", filters], (skip, signal) =>
    api.listDiscoveredMcpServers({ query: { ...filters, skip, limit: 100 }, signal }),
  );
  return (
    <Items tab="servers" label="MCP servers" list={list} columns={SERVER_COLUMNS} keyOf={(row) => row.fingerprint} />
  );
}

function Skills() {
  const api = useApi();
  const filters = useFilters();
  const list = usePages([...discoveryKey, "skills", filters], (skip, signal) =>
    api.listDiscoveredSkills({ query: { ...filters, skip, limit: 100 }, signal }),
  );
  return <Items tab="skills" label="Skills" list={list} columns={SKILL_COLUMNS} keyOf={(row) => row.digest} />;
}

function Memory() {
  const api = useApi();
  const { action: _, managed: __, ...filters } = useFilters();
  const list = usePages([...discoveryKey, "memory", filters], (skip, signal) =>
    api.listDiscoveredAgentMemory({ query: { ...filters, skip, limit: 100 }, signal }),
  );
  return <Items tab="memory" label="Agent memory" list={list} columns={MEMORY_COLUMNS} keyOf={(row) => row.id} />;
}

function Agents() {
  const api = useApi();
  const { action: _, managed: __, min_risk: ___, ...filters } = useFilters();
  const list = usePages([...discoveryKey, "agents", filters], (skip, signal) =>
    api.listDiscoveredAgents({ query: { ...filters, skip, limit: 100 }, signal }),
  );
  return <Items tab="agents" label="Agents" list={list} columns={AGENT_COLUMNS} keyOf={(row) => row.id} />;
}

interface ItemsProps<Row> {
  readonly tab: Tab;
  readonly label: string;
  readonly list: Pages<Row>;
  readonly columns: ReadonlyArray<Column<Row>>;
  keyOf(row: Row): string;
}

function Items<Row>({ tab, label, list, columns, keyOf }: ItemsProps<Row>) {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { tab: _, item, sort: __, order: ___, do: ____, ...filters } = search;
  const { sort, order } = useSort();
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const sorting: Sorting = {
    by: sort,
    order,
    onSort: (by, next) =>
      void navigate({
        search: (old) => ({
          ...old,
          sort: SORTS.find((name) => name === by),
          order: by === undefined ? undefined : next,
        }),
        replace: true,
      }),
  };
  const open = (key: string | undefined) => void navigate({ search: (old) => ({ ...old, item: key, do: undefined }) });
  return (
    <>
      <DataTable
        label={label}
        list={list}
        columns={columns}
        rowKey={keyOf}
        onOpen={(row) => open(keyOf(row))}
        openKey={item}
        sorting={sorting}
        empty={
          <EmptyState
            icon={IconListSearch}
            title={isFiltered ? "Nothing matches the filters" : "Nothing found yet"}
            actions={
              isFiltered && (
                <Button variant="default" onClick={() => void navigate({ search: { tab } })}>
                  Clear filters
                </Button>
              )
            }
          >
            {isFiltered ? "Remove a filter to see more." : "Devices list here what they have after their first report."}
          </EmptyState>
        }
      />
      <ItemPanel tab={tab} id={item} onClose={() => open(undefined)} />
    </>
  );
}

const SORTS = ["name", "devices", "risk", "last_seen"] as const;

interface Listed {
  readonly name: string;
  readonly devices_count: number;
  readonly clients: readonly string[];
  readonly risk: FoundServer["risk"];
  readonly last_seen: string;
}

const devices: Column<Listed> = {
  key: "devices",
  header: "Devices",
  sorts: "desc",
  width: "6rem",
  align: "right",
  hideBelow: "sm",
  render: ({ devices_count: count }) => count.toLocaleString("en"),
};
const clients: Column<Listed> = {
  key: "clients",
  header: "Clients",
  width: "18%",
  hideBelow: "md",
  render: ({ clients: of }) => <span className="gh-truncate">{of.map(clientLabel).join(", ") || "–"}</span>,
};
const risk: Column<Listed> = {
  key: "risk",
  header: "Risk",
  sorts: "desc",
  width: "5rem",
  render: (item) => <RiskPill risk={item.risk} />,
};
const seen: Column<Listed> = {
  key: "last_seen",
  header: "Last seen",
  sorts: "desc",
  width: "8rem",
  hideBelow: "lg",
  render: ({ last_seen: at }) => <TimeAgo time={at} />,
};

function twoLines(first: string, second: string) {
  return (
    <span className="gh-two-lines">
      <span className="gh-truncate">{first}</span>
      <span className="gh-truncate">{second}</span>
    </span>
  );
}

const action: Column<Pick<FoundServer, "action">> = {
  key: "action",
  header: "Policy",
  width: "7rem",
  narrowWidth: "6.5rem",
  render: (item) => <ActionPill action={item.action} />,
};
const managed: Column<Pick<FoundServer, "managed">> = {
  key: "managed",
  header: "Managed",
  width: "7rem",
  hideBelow: "md",
  render: (item) => (item.managed ? "Yes" : <span className="gh-dim">No</span>),
};

const SERVER_COLUMNS: ReadonlyArray<Column<FoundServer>> = [
  { key: "name", header: "Name", sorts: "asc", render: (item) => twoLines(item.name, targetOf(item)) },
  ...[clients, devices, risk, managed, action, seen],
];
const SKILL_COLUMNS: ReadonlyArray<Column<FoundSkill>> = [
  {
    key: "name",
    header: "Name",
    sorts: "asc",
    render: (item) => twoLines(item.name, item.description || "No description"),
  },
  ...[clients, devices, risk, managed, action, seen],
];
const MEMORY_COLUMNS: ReadonlyArray<Column<FoundMemory>> = [
  { key: "name", header: "File", sorts: "asc", render: (item) => twoLines(item.name, item.path) },
  ...[clients, devices, risk, seen],
];
const AGENT_COLUMNS: ReadonlyArray<Column<FoundAgent>> = [
  {
    key: "name",
    header: "Name",
    sorts: "asc",
    render: (item) => twoLines(item.name, AGENT_KIND_LABELS[item.kind] ?? item.kind),
  },
  ...[clients, devices, seen],
];
