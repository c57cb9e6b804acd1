import { IconMailQuestion } from "@tabler/icons-react";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { DecidePanel } from "./decide-panel.tsx";
import { REQUESTED_COLUMN, SERVER_COLUMN, STATUS_COLUMN } from "./request-columns.tsx";
import { type AccessRequest, REQUEST_STATUSES, requestsKey } from "./requests.ts";

type Status = AccessRequest["status"];
// The keys of a literal record are exactly its type's.
const STATUSES = (Object.keys(REQUEST_STATUSES) as Status[]).map((value) => ({
  value,
  label: REQUEST_STATUSES[value].label,
}));

interface ReviewRequestsProps {
  readonly q: string | undefined;
  readonly status: Status | undefined;
  /** The ID of the request whose panel is open. */
  readonly open: string | undefined;
  onChange(
    patch: { q?: string | undefined; status?: Status | undefined; open?: string | undefined },
    options?: { replace: boolean },
  ): void;
}

const COLUMNS: ReadonlyArray<Column<AccessRequest>> = [
  {
    key: "user",
    header: "User",
    render: ({ name, email }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">{email}</span>
      </span>
    ),
  },
  SERVER_COLUMN,
  {
    key: "reason",
    header: "Reason",
    hideBelow: "md",
    render: ({ reason }) => <span className="gh-truncate">{reason}</span>,
  },
  STATUS_COLUMN,
  REQUESTED_COLUMN,
];

/** Requests of people for access. A row opens the panel where an admin decides. */
export function ReviewRequests({ q, status, open, onChange }: ReviewRequestsProps) {
  const api = useApi();
  const list = usePages([...requestsKey, "all", q, status], (skip, signal) =>
    api.listAccessRequests({ query: { search: q, status, skip, limit: 100 }, signal }),
  );
  const isFiltered = q !== undefined || status !== undefined;
  return (
    <>
      <FilterBar>
        <SearchField label="Search requests" value={q} onChange={(next) => onChange({ q: next }, { replace: true })} />
        <Choice
          label="Status"
          any="Any status"
          value={status}
          options={STATUSES}
          onChange={(next) => onChange({ status: next }, { replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Access requests"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        onOpen={({ id }) => onChange({ open: id })}
        openKey={open}
        empty={
          <EmptyState icon={IconMailQuestion} title={isFiltered ? "No matching requests" : "No requests yet"}>
            {isFiltered
              ? "The search covers the names of users and servers."
              : "Members can browse all active servers on their Connections page and request access."}
          </EmptyState>
        }
      />
      <DecidePanel request={list.rows.find(({ id }) => id === open)} onClose={() => onChange({ open: undefined })} />
    </>
  );
}
