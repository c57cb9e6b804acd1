import { Button } from "@mantine/core";
import { IconPlus, IconTruckDelivery } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { CreateDestination } from "./create-destination.tsx";
import { DestinationMenu } from "./destination-menu.tsx";
import { DestinationPanel } from "./destination-panel.tsx";
import {
  destinationsKey,
  fetchDestinations,
  KIND_LABELS,
  type LogDestination,
  lagText,
  SOURCE_LABELS,
  STATUS_LABELS,
  targetOf,
} from "./log-destinations.ts";

const route = getRouteApi("/log-destinations");

export function LogDestinationsPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, add, open } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...destinationsKey, "list", q], (skip, signal) => fetchDestinations(api, q, skip, signal));
  const openAdd = (what: "destination" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const createButton = changes && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("destination")}>
      Create log destination
    </Button>
  );
  const isEmpty = !list.isPending && list.rows.length === 0 && q === undefined;
  return (
    <>
      <PageHeader
        title="Log destinations"
        description="Send the call log and the audit log continuously to an OpenTelemetry collector, a bucket, a webhook, or a file."
        actions={!isEmpty && createButton}
      />
      {!isEmpty && (
        <FilterBar>
          <SearchField
            label="Search log destinations"
            value={q}
            onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
          />
        </FilterBar>
      )}
      <DataTable
        label="Log destinations"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ id }) => ({ to: "/log-destinations", search: { open: id } })}
        {...(changes ? { rowMenu: (row: LogDestination) => <DestinationMenu destination={row} /> } : {})}
        empty={
          q === undefined ? (
            <EmptyState icon={IconTruckDelivery} title="No log destinations yet" actions={createButton}>
              Create a log destination to keep logs longer than Gatehouse does, or to search them with your other logs.
              Every record arrives at least once, also after a restart.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconTruckDelivery}
              title="No matching log destinations"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear search
                </Button>
              }
            >
              The search covers names.
            </EmptyState>
          )
        }
      />
      <CreateDestination opened={add === "destination" && changes} onClose={() => openAdd(undefined)} />
      <DestinationPanel
        destinationId={open}
        onClose={() => void navigate({ search: (old) => ({ ...old, open: undefined }) })}
      />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<LogDestination>> = [
  {
    key: "name",
    header: "Name",
    render: (row) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{row.name}</span>
        <span className="gh-truncate">{targetOf(row)}</span>
      </span>
    ),
  },
  { key: "kind", header: "Kind", width: "9rem", hideBelow: "md", render: ({ kind }) => KIND_LABELS[kind] },
  {
    key: "sources",
    header: "Logs",
    width: "12rem",
    hideBelow: "lg",
    render: ({ sources }) => sources.map((source) => SOURCE_LABELS[source]).join(", "),
  },
  {
    key: "status",
    header: "Status",
    width: "10rem",
    narrowWidth: "8.5rem",
    render: ({ status }) => <StatusPill tone={STATUS_LABELS[status].tone}>{STATUS_LABELS[status].label}</StatusPill>,
  },
  { key: "lag", header: "Waiting", width: "11rem", hideBelow: "sm", render: ({ cursors }) => lagText(cursors) },
];
