import { Button } from "@mantine/core";
import { IconPlus, IconTools } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import "./toolkits.css";
import { CreateToolkitDialog } from "./create-toolkit-dialog.tsx";
import { fetchToolkits, STATUSES, type Toolkit, toolkitsKey } from "./toolkits.ts";

const route = getRouteApi("/toolkits");

export function ToolkitsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, status, add } = route.useSearch();
  const navigate = route.useNavigate();
  const filters = { q, status };
  const list = usePages([...toolkitsKey, "list", filters], (cursor, signal) =>
    fetchToolkits(api, filters, cursor, signal),
  );
  const openAdd = (what: "toolkit" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const isFiltered = q !== undefined || status !== undefined;
  const createButton = changes && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("toolkit")}>
      Create toolkit
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Toolkits"
        description="A toolkit selects tools of several servers for one task, renames them, and fixes their arguments. It never gives access that groups do not give."
        actions={createButton}
      />
      <FilterBar>
        <SearchField
          label="Search toolkits"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={[
            { value: "active", label: "Active" },
            { value: "draft", label: "Draft" },
          ]}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, status: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Toolkits"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/toolkits/$slug", params: { slug } })}
        empty={
          isFiltered ? (
            <EmptyState
              icon={IconTools}
              title="No matching toolkits"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear filters
                </Button>
              }
            >
              The search covers names, slugs, and descriptions.
            </EmptyState>
          ) : (
            <EmptyState icon={IconTools} title="No toolkits yet" actions={createButton}>
              Give an agent only the tools of its task: fewer tokens, better choices, and no surprises.
            </EmptyState>
          )
        }
      />
      <CreateToolkitDialog opened={add === "toolkit"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Toolkit>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, slug }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <code className="gh-truncate">{slug}</code>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "6rem",
    render: ({ status }) => <StatusPill tone={STATUSES[status].tone}>{STATUSES[status].label}</StatusPill>,
  },
  {
    key: "tools",
    header: "Tools",
    width: "10rem",
    narrowWidth: "5rem",
    render: ({ tools_count: count, broken_tools: broken }) => (
      <span className="gh-builder-pills">
        {count.toLocaleString("en")}
        {broken.length > 0 && <StatusPill tone="warn">{`${broken.length} without effect`}</StatusPill>}
      </span>
    ),
  },
  {
    key: "for",
    header: "For",
    width: "24%",
    hideBelow: "sm",
    render: ({ groups, owner_email: owner }) => (
      <span className="gh-truncate">{owner ?? (groups.length === 0 ? "No groups" : groups.join(", "))}</span>
    ),
  },
  {
    key: "least",
    header: "Applies",
    width: "10rem",
    hideBelow: "md",
    render: ({ least_privilege: isDefault }) => (
      <span className="gh-dim">{isDefault ? "By default" : "When selected"}</span>
    ),
  },
];
