import { Button, TextInput } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type AuditEntry, fetchAudit, operationLabel, targetLabel } from "./audit.ts";
import { AuditPanel } from "./audit-panel.tsx";
import { ChainState } from "./chain-state.tsx";
import { ExportMenu } from "./export-menu.tsx";

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
  { value: "connection", label: "Connections" },
  { value: "guard", label: "Guards" },
  { value: "approval", label: "Approvals" },
  { value: "agent", label: "Agents" },
  { value: "skill", label: "Skills" },
  { value: "command", label: "Commands" },
  { value: "plugin", label: "Plugins" },
  { value: "group", label: "Groups" },
  { value: "access-request", label: "Access requests" },
  { value: "toolkit", label: "Toolkits" },
  { value: "user", label: "Users" },
  { value: "exchange-provider", label: "Trusted issuers" },
  { value: "discovery-rule", label: "Discovery rules" },
  { value: "discovery-device", label: "Devices" },
  { value: "api-token", label: "API tokens" },
  { value: "webhook", label: "Webhooks" },
  { value: "log_destination", label: "Log destinations" },
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
        actions={<ExportMenu filters={filters} />}
        description="Every change to this installation, with its actor, time, and values before and after. Tool calls are in Logs."
      />
      <ChainState />
      <FilterBar>
        <NameFilter
          key={`actor ${filters.actor}`}
          label="Actor (exact name)"
          value={filters.actor}
          onChange={(actor) => choose({ actor })}
        />
        <NameFilter
          key={`target ${filters.target}`}
          label="Target (exact name)"
          value={filters.target}
          onChange={(target) => choose({ target })}
        />
        <Choice
          label="Target type"
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
        label="Audit log"
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
function NameFilter({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const [text, setText] = useState(value ?? "");
  const apply = () => onChange(text.trim() === "" ? undefined : text.trim());
  return (
    <TextInput
      className="gh-audit-name"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={apply}
      onKeyDown={(event) => event.key === "Enter" && apply()}
    />
  );
}

const COLUMNS: ReadonlyArray<Column<AuditEntry>> = [
  {
    key: "action",
    header: "Action",
    render: ({ operation, target }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{operationLabel(operation)}</span>
        <span className="gh-truncate">{targetLabel(target)}</span>
      </span>
    ),
  },
  {
    key: "actor",
    header: "Actor",
    render: ({ actor }) => <span className="gh-truncate">{actor.name}</span>,
  },
  { key: "ip", header: "IP address", width: "9rem", hideBelow: "lg", render: ({ ip }) => ip ?? "–" },
  { key: "time", header: "Time", width: "8rem", narrowWidth: "4.75rem", render: ({ ts }) => <TimeAgo time={ts} /> },
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
