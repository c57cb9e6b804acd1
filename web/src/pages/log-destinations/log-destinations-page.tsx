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
import { TimeAgo } from "../../components/time-ago.tsx";
import { CreateDestination } from "./create-destination.tsx";
import { DestinationMenu } from "./destination-menu.tsx";
import { DestinationPanel } from "./destination-panel.tsx";
import {
  destinationsKey,
  droppedRecords,
  fetchDestinations,
  KIND_LABELS,
  type LogDestination,
  lagText,
  lastErrorOf,
  lastSentAt,
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
  { key: "kind", header: "Kind", width: "8.5rem", hideBelow: "lg", render: ({ kind }) => KIND_LABELS[kind] },
  {
    key: "status",
    header: "Status",
    width: "12rem",
    narrowWidth: "8.5rem",
    render: ({ status, cursors }) => <Status status={status} error={lastErrorOf(cursors)} />,
  },
  {
    key: "sent",
    header: "Last sent",
    width: "7rem",
    hideBelow: "md",
    render: ({ cursors }) => <LastSent time={lastSentAt(cursors)} />,
  },
  { key: "lag", header: "Waiting", width: "9.5rem", hideBelow: "sm", render: ({ cursors }) => lagText(cursors) },
  {
    key: "dropped",
    header: "Not sent",
    width: "6rem",
    hideBelow: "lg",
    render: ({ cursors }) => droppedRecords(cursors).toLocaleString("en-US"),
  },
];

function Status({ status, error }: { status: LogDestination["status"]; error: string | undefined }) {
  const { tone, label } = STATUS_LABELS[status];
  return (
    <span className="gh-two-lines">
      <StatusPill tone={tone}>{label}</StatusPill>
      {error !== undefined && (
        <span className="gh-truncate" title={error}>
          {error}
        </span>
      )}
    </span>
  );
}

function LastSent({ time }: { time: string | undefined }) {
  return time === undefined ? "Never" : <TimeAgo time={time} />;
}
