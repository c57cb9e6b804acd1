import { Button } from "@mantine/core";
import { IconPlus, IconTools } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import type { Column } from "../../components/data-table.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { nameColumn, statusColumn } from "../records/publication.tsx";
import { PublicationList } from "../records/publication-list.tsx";
import "./toolkits.css";
import { appliesColumn } from "./applies-column.tsx";
import { CreateToolkitDialog } from "./create-toolkit-dialog.tsx";
import { fetchToolkits, type Toolkit, toolkitsKey } from "./toolkits.ts";

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
      <PublicationList
        label="Toolkits"
        icon={IconTools}
        list={list}
        columns={COLUMNS}
        rowLink={({ slug }) => ({ to: "/toolkits/$slug", params: { slug } })}
        filters={filters}
        onFilter={(change) => void navigate({ search: (old) => ({ ...old, ...change }), replace: true })}
        searched="names, slugs, and descriptions"
        empty="Give an agent only the tools of its task: fewer tokens, better choices, and no surprises."
        actions={createButton}
      />
      <CreateToolkitDialog opened={add === "toolkit"} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Toolkit>> = [
  nameColumn<Toolkit>(({ slug }) => slug),
  statusColumn,
  {
    key: "tools",
    header: "Tools",
    width: "10rem",
    narrowWidth: "8rem",
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
  appliesColumn,
];
