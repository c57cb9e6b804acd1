import { IconKey, IconX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar } from "../../components/filter-bar.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { END_REASONS, type IssuedCredential, type Issuer, issuersKey } from "./issuers.ts";

const route = getRouteApi("/issuers/$slug");

export function IssuerCredentials({ issuer: { slug } }: { issuer: Issuer }) {
  const api = useApi();
  const { changes } = useRights();
  const { active } = route.useSearch();
  const navigate = route.useNavigate();
  const [ending, setEnding] = useState<IssuedCredential>();
  const isActive = active && (active === "yes" ? "true" : "false");
  const list = usePages([...issuersKey, "credentials", slug, active], (skip, signal) =>
    api.listExchangeCredentials({ query: { provider: slug, active: isActive, skip, limit: 100 }, signal }),
  );
  return (
    <>
      <FilterBar>
        <Choice
          label="Status"
          any="Any status"
          value={active}
          options={[
            { value: "yes", label: "Active" },
            { value: "no", label: "Ended or expired" },
          ]}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, active: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Credentials"
        list={list}
        columns={COLUMNS}
        rowKey={({ id }) => id}
        {...(changes && {
          rowMenu: (row: IssuedCredential) =>
            row.active && (
              <RowAction icon={IconX} label={`End the credential of ${row.subject}`} onClick={() => setEnding(row)} />
            ),
        })}
        empty={
          <EmptyState icon={IconKey} title={active === undefined ? "No credentials yet" : "No matching credentials"}>
            Each exchange of a token is listed here for 30 days after it ends.
          </EmptyState>
        }
      />
      <EndCredential credential={ending} onClose={() => setEnding(undefined)} />
    </>
  );
}

function EndCredential({
  credential,
  onClose,
}: {
  readonly credential: IssuedCredential | undefined;
  onClose(): void;
}) {
  const api = useApi();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (id: string) => api.endExchangeCredential({ query: { id } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: issuersKey });
      onClose();
      notifyDone("Ended");
    },
  });
  return (
    <ConfirmDialog
      opened={credential !== undefined}
      title={`End the credential of ${credential?.subject ?? ""}?`}
      action="End credential"
      isDestructive
      isWorking={end.isPending}
      error={end.error}
      onConfirm={() => credential && end.mutate(credential.id)}
      onClose={onClose}
    >
      Its tokens stop working immediately. The holder can exchange another token of the issuer. To prevent that, change
      the conditions.
    </ConfirmDialog>
  );
}

const COLUMNS: ReadonlyArray<Column<IssuedCredential>> = [
  {
    key: "subject",
    header: "Subject",
    render: ({ subject, user_email: user }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{subject}</span>
        <span className="gh-truncate">{user}</span>
      </span>
    ),
  },
  {
    key: "status",
    header: "Status",
    width: "9rem",
    narrowWidth: "7rem",
    render: ({ active, end_reason: reason }) => (
      <StatusPill tone={active ? "good" : reason === "reused" ? "bad" : "quiet"}>
        {active ? "Active" : reason === null ? "Expired" : END_REASONS[reason]}
      </StatusPill>
    ),
  },
  { key: "ip", header: "IP address", width: "10rem", hideBelow: "md", render: ({ ip }) => ip ?? "–" },
  {
    key: "created",
    header: "Created",
    width: "8rem",
    hideBelow: "sm",
    render: ({ created_at: at }) => <TimeAgo time={at} />,
  },
  {
    key: "expires",
    header: "Expires",
    width: "8rem",
    hideBelow: "sm",
    render: ({ expires_at: at }) => <TimeAgo time={at} />,
  },
];
