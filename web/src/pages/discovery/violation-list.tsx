import { Box, SegmentedControl } from "@mantine/core";
import { IconShieldCheck } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar } from "../../components/filter-bar.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ACTION_LABELS, clientLabel, discoveryKey, type Violation } from "./discovery.ts";
import { ActionPill } from "./pills.tsx";

const route = getRouteApi("/discovery/policy");
const STATUSES = [
  { value: "open", label: "Open" },
  { value: "resolved", label: "Resolved" },
] as const;
const ACTIONS = [
  { value: "block", label: ACTION_LABELS.block.label },
  { value: "warn", label: ACTION_LABELS.warn.label },
] as const;

/** What devices have although the policy warns about it or blocks it. */
export function ViolationList() {
  const api = useApi();
  const { status = "open", action } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...discoveryKey, "violations", status, action], (skip, signal) =>
    api.listDiscoveryViolations({ query: { status, action, skip, limit: 100 }, signal }),
  );
  return (
    <>
      <FilterBar>
        <SegmentedControl
          aria-label="Status"
          data={STATUSES.map((each) => ({ ...each }))}
          value={status}
          onChange={(next) => {
            const chosen = STATUSES.find(({ value }) => value === next)?.value;
            void navigate({ search: (old) => ({ ...old, status: chosen }), replace: true });
          }}
        />
        <Choice
          label="Action"
          any="Any decision"
          value={action}
          options={ACTIONS}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, action: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Violations"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        rowLink={({ kind, key }) => ({
          to: "/discovery/inventory",
          search: { item: key ?? undefined, ...(kind === "skill" && { tab: "skills" }) },
        })}
        empty={
          <EmptyState icon={IconShieldCheck} title="No violations">
            Items that the policy warns about or blocks are listed here for each device.
          </EmptyState>
        }
      />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Violation>> = [
  {
    key: "name",
    header: "Item",
    render: ({ name, client, hostname, device_id: id }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name ?? "Deleted"}</span>
        <span className="gh-truncate">
          {client !== null && clientLabel(client)}
          <Box component="span" hiddenFrom="sm">{` · ${hostname ?? id}`}</Box>
        </span>
      </span>
    ),
  },
  {
    key: "device",
    header: "Device",
    width: "26%",
    hideBelow: "sm",
    render: ({ hostname, device_id: id, user_email: email }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{hostname ?? id}</span>
        <span className="gh-truncate">{email ?? "Unknown user"}</span>
      </span>
    ),
  },
  { key: "action", header: "Policy", width: "7rem", render: ({ action }) => <ActionPill action={action} /> },
  {
    key: "rule",
    header: "Rule",
    width: "18%",
    hideBelow: "md",
    render: ({ rule_name: rule }) => <span className="gh-truncate">{rule ?? "Default action"}</span>,
  },
  {
    key: "enforcement",
    header: "On the device",
    width: "9rem",
    hideBelow: "lg",
    render: ({ quarantined, enforcement, resolved_at: resolved }) => (
      <span className="gh-truncate">
        {quarantined ? "Quarantined" : (enforcement ?? (resolved === null ? "Present" : "Resolved"))}
      </span>
    ),
  },
  {
    key: "since",
    header: "First seen",
    width: "8rem",
    hideBelow: "sm",
    render: ({ first_seen: at }) => <TimeAgo time={at} />,
  },
];
