import { Button, TextInput } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type AuditEntry, fetchAudit, operationLabel } from "./audit.ts";
import { AuditPanel } from "./audit-panel.tsx";

const route = getRouteApi("/audit");

const PERIODS = [
  { value: "1", label: "Last 24 hours" },
  { value: "7", label: "Last 7 days" },
  { value: "30", label: "Last 30 days" },
  { value: "90", label: "Last 90 days" },
] as const;

/** Kinds of targets in the audit log. */
const KINDS = [
  { value: "mcp-server", label: "MCP servers" },
  { value: "group", label: "Groups" },
  { value: "user", label: "Users" },
  { value: "api-token", label: "API tokens" },
  { value: "connection", label: "Connections" },
  { value: "settings", label: "Settings" },
] as const;

export function AuditPage() {
  const api = useApi();
  const { open, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useCursorPages(["audit", filters], (cursor, signal) => fetchAudit(api, filters, cursor, signal));
  const choose = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const show = (id: string | undefined) => void navigate({ search: (old) => ({ ...old, open: id }) });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Every change to this installation, with its author, time, and values before and after. Tool calls are in Logs."
      />
      <FilterBar>
        <SearchField label="Filter by actor" value={filters.actor} onChange={(actor) => choose({ actor })} />
        <TargetField value={filters.target} onChange={(target) => choose({ target })} />
        <Choice
          label="Kind"
          any="All targets"
          value={KINDS.find(({ value }) => value === filters.kind)?.value}
          options={KINDS}
          onChange={(kind) => choose({ kind })}
        />
        <Choice
          label="Period"
          any="Any time"
          value={filters.since}
          options={PERIODS}
          onChange={(since) => choose({ since })}
        />
      </FilterBar>
      <DataTable
        label="Changes"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={({ id }) => show(id)}
        openKey={open}
        empty={<Nothing onClear={isFiltered ? () => void navigate({ search: {} }) : undefined} />}
      />
      <AuditPanel entry={list.rows.find(({ id }) => id === open)} onClose={() => show(undefined)} />
    </>
  );
}

/** Applied on blur and Enter, because the API matches whole names. */
function TargetField({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value ?? "");
  const apply = () => onChange(text.trim() === "" ? undefined : text.trim());
  return (
    <TextInput
      aria-label="Filter by target"
      placeholder="Filter by target"
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && apply()}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<AuditEntry>> = [
  {
    key: "what",
    header: "Action",
    render: ({ operation }) => <span className="gh-truncate">{operationLabel(operation)}</span>,
  },
  { key: "target", header: "Target", render: ({ target }) => target.name || target.id },
  { key: "actor", header: "Who", hideBelow: "sm", render: ({ actor }) => actor.name },
  { key: "ip", header: "IP address", width: "9rem", hideBelow: "lg", render: ({ ip }) => ip ?? "–" },
  { key: "when", header: "When", width: "8rem", narrowWidth: "5.5rem", render: ({ ts }) => <TimeAgo time={ts} /> },
];

function Nothing({ onClear }: { onClear: (() => void) | undefined }) {
  const clear = (
    <Button variant="default" onClick={onClear}>
      Clear filters
    </Button>
  );
  return (
    <EmptyState
      icon={IconHistory}
      title={onClear ? "No matching entries" : "No changes yet"}
      actions={onClear && clear}
    >
      {onClear ? "Filters match whole names." : "Changes to this installation appear here."}
    </EmptyState>
  );
}
