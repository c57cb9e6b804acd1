import { IconListDetails } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { CALL_COLUMNS } from "../logs/call-columns.tsx";
import { OUTCOME_LABELS, OUTCOMES } from "../logs/call-labels.ts";
import "../logs/logs.css";

const route = getRouteApi("/my-calls");
const COLUMNS = CALL_COLUMNS.filter(({ key }) => key !== "user");
const OUTCOME_CHOICES = OUTCOMES.map((value) => ({ value, label: OUTCOME_LABELS[value].label }));

/** The calls of the user's own MCP clients, for people who cannot read the whole log. */
export function MyCallsPage() {
  const api = useApi();
  const { server, outcome } = route.useSearch();
  const navigate = route.useNavigate();
  const list = useCursorPages(
    ["my-calls", server, outcome],
    (cursor, signal) => api.listMyLogs({ query: { server, outcome, cursor, limit: 100 }, signal }),
    { isAppendOnly: true },
  );
  const choose = (patch: { server?: string | undefined; outcome?: typeof outcome }) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const isFiltered = server !== undefined || outcome !== undefined;
  return (
    <>
      <PageHeader title="Your calls" description="Calls that your MCP clients made as you, newest first." />
      <FilterBar>
        <SearchField label="Filter by server slug" value={server} onChange={(next) => choose({ server: next })} />
        <Choice
          label="Outcome"
          any="Any outcome"
          value={outcome}
          options={OUTCOME_CHOICES}
          onChange={(next) => choose({ outcome: next })}
        />
      </FilterBar>
      <DataTable
        label="Your calls"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        isCompact
        empty={
          <EmptyState
            icon={IconListDetails}
            title={isFiltered ? "No matching calls" : "No calls yet"}
            actions={!isFiltered && <LinkButton to="/setup">Connect a client</LinkButton>}
          >
            {isFiltered ? "Change or clear the filters." : "Calls of your MCP clients appear here."}
          </EmptyState>
        }
      />
    </>
  );
}
