import { Button } from "@mantine/core";
import { IconMailQuestion } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { REQUESTED_COLUMN, SERVER_COLUMN, STATUS_COLUMN } from "./request-columns.tsx";
import { type AccessRequest, requestsKey } from "./requests.ts";

/** The user's requests and their decisions. */
export function MyRequests() {
  const api = useApi();
  const queries = useQueryClient();
  const list = usePages([...requestsKey, "mine"], (skip, signal) =>
    api.listMyRequests({ query: { skip, limit: 100 }, signal }),
  );
  const withdraw = useMutation({
    mutationFn: (id: string) => api.withdrawMyRequest({ query: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: requestsKey }),
    onError: notifyFailure,
  });
  const columns: ReadonlyArray<Column<AccessRequest>> = [
    SERVER_COLUMN,
    STATUS_COLUMN,
    {
      key: "answer",
      header: "Answer",
      hideBelow: "sm",
      render: ({ note, group, decided_by: by, status }) => (
        <span className="gh-truncate">
          {note ?? (status === "approved" ? `Through group ${group}` : status === "denied" ? `Denied by ${by}` : "–")}
        </span>
      ),
    },
    REQUESTED_COLUMN,
    {
      key: "withdraw",
      header: "",
      width: "7rem",
      align: "right",
      render: ({ id, status, server_name: name }) =>
        status === "pending" ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Withdraw the request for ${name}`}
            loading={withdraw.isPending && withdraw.variables === id}
            onClick={() => withdraw.mutate(id)}
          >
            Withdraw
          </Button>
        ) : null,
    },
  ];
  return (
    <DataTable
      label="Your requests"
      list={list}
      columns={columns}
      rowKey={({ id }) => id}
      empty={
        <EmptyState
          icon={IconMailQuestion}
          title="No requests yet"
          actions={
            <LinkButton to="/connections" search={{ tab: "more" }} variant="default">
              Browse all servers
            </LinkButton>
          }
        >
          Request access to a server, and the decision appears here.
        </EmptyState>
      }
    />
  );
}
