import { Text } from "@mantine/core";
import { IconChecklist } from "@tabler/icons-react";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { APPROVAL_STATUSES, type ApprovalEntry, approvalsKey } from "./approvals.ts";
import { usePendingApprovals } from "./pending-approvals.ts";

const route = getRouteApi("/approvals");
const DECIDED = (["approved", "denied", "expired"] as const).map((value) => ({
  value,
  label: APPROVAL_STATUSES[value].label,
}));

export function ApprovalsPage() {
  const { tab } = route.useSearch();
  const pending = usePendingApprovals();
  return (
    <>
      <PageHeader
        title="Approvals"
        description="Calls that a guard holds until an owner or admin approves them, each with its exact arguments."
      />
      <UrlTabs
        label="Approvals"
        value={tab ?? "queue"}
        tabs={[
          { value: "queue", label: pending === 0 ? "Pending" : `Pending ${pending}` },
          { value: "history", label: "History" },
        ]}
      />
      <Approvals key={tab} isHistory={tab === "history"} />
    </>
  );
}

function Approvals({ isHistory }: { isHistory: boolean }) {
  const api = useApi();
  const navigate = useNavigate();
  const { q, status, guard } = route.useSearch();
  const change = route.useNavigate();
  const shown = isHistory ? (status ?? "decided") : "pending";
  const list = usePages(
    [...approvalsKey, "list", shown, q, guard],
    (skip, signal) => api.listApprovals({ query: { status: shown, search: q, guard, skip, limit: 100 }, signal }),
    isHistory ? {} : { refetchInterval: 5_000 },
  );
  const isFiltered = q !== undefined || status !== undefined || guard !== undefined;
  const set = (patch: { q?: string | undefined; status?: "approved" | "denied" | "expired" | undefined }) =>
    void change({ search: (old) => ({ ...old, ...patch }), replace: true });
  return (
    <>
      <FilterBar>
        <SearchField label="Search approvals" value={q} onChange={(next) => set({ q: next })} />
        {isHistory && (
          <Choice
            label="Status"
            any="Any status"
            value={status}
            options={DECIDED}
            onChange={(next) => set({ status: next })}
          />
        )}
      </FilterBar>
      <DataTable
        label={isHistory ? "Decided approvals" : "Pending approvals"}
        list={list}
        columns={isHistory ? HISTORY : QUEUE}
        rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: "/approvals/$id", params: { id } })}
        empty={<Empty isFiltered={isFiltered} isHistory={isHistory} />}
      />
    </>
  );
}

function Empty({ isFiltered, isHistory }: { isFiltered: boolean; isHistory: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon={IconChecklist} title="No matching approvals">
        The search covers users, servers, tools, and guards.
      </EmptyState>
    );
  if (isHistory)
    return (
      <EmptyState icon={IconChecklist} title="No decisions yet">
        Approved, denied, and expired calls appear here.
      </EmptyState>
    );
  return (
    <EmptyState
      icon={IconChecklist}
      title="No call waits for an approval"
      actions={
        <LinkButton to="/guards" variant="default">
          Open guards
        </LinkButton>
      }
    >
      Calls appear here when a guard with the action “Require approval” finds something.
    </EmptyState>
  );
}

const CALL: Column<ApprovalEntry> = {
  key: "call",
  header: "Call",
  render: ({ tool, server_name: server }) => (
    <span className="gh-two-lines">
      <span className="gh-truncate">{tool}</span>
      <span className="gh-truncate">{server}</span>
    </span>
  ),
};
const USER: Column<ApprovalEntry> = {
  key: "user",
  header: "User",
  render: ({ user_email: email }) => <span className="gh-truncate">{email}</span>,
};
const GUARD: Column<ApprovalEntry> = {
  key: "guard",
  header: "Held by",
  hideBelow: "md",
  render: ({ guard_name: guard, check_names: checks }) => (
    <span className="gh-two-lines">
      <span className="gh-truncate">{guard}</span>
      <span className="gh-truncate">{checks.join(", ")}</span>
    </span>
  ),
};

function timeColumn(
  key: string,
  header: string,
  of: (row: ApprovalEntry) => string | null,
  from?: "sm",
): Column<ApprovalEntry> {
  return {
    key,
    header,
    width: "8rem",
    narrowWidth: "6rem",
    ...(from && { hideBelow: from }),
    render: (row) => (
      <Text size="sm" c="dimmed" component="span">
        <TimeAgo time={of(row)} never="–" />
      </Text>
    ),
  };
}

const QUEUE: ReadonlyArray<Column<ApprovalEntry>> = [
  CALL,
  USER,
  GUARD,
  timeColumn("requested", "Requested", ({ created_at: time }) => time),
  timeColumn("expires", "Expires", ({ expires_at: time }) => time, "sm"),
];

const HISTORY: ReadonlyArray<Column<ApprovalEntry>> = [
  CALL,
  USER,
  GUARD,
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "7rem",
    render: ({ status }) => (
      <StatusPill tone={APPROVAL_STATUSES[status].tone}>{APPROVAL_STATUSES[status].label}</StatusPill>
    ),
  },
  timeColumn("decided", "Decided", ({ decided_at: time }) => time, "sm"),
];
