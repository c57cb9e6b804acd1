import { Button } from "@mantine/core";
import { IconCertificate, IconPlus } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { nameColumn, updatedColumn } from "../records/publication.tsx";
import { CreateIssuer } from "./create-issuer.tsx";
import { actsAs, fetchIssuers, type Issuer, issuersKey } from "./issuers.ts";

const route = getRouteApi("/issuers");

export function IssuersPage() {
  const api = useApi();
  const { changes } = useRights();
  const { q, add } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...issuersKey, "list", q], (cursor, signal) => fetchIssuers(api, q, cursor, signal));
  const openAdd = (what: "issuer" | undefined) => void navigate({ search: (old) => ({ ...old, add: what }) });
  const addButton = changes && (
    <Button leftSection={<IconPlus size={16} />} onClick={() => openAdd("issuer")}>
      Add issuer
    </Button>
  );
  const isEmpty = !list.isPending && list.rows.length === 0 && q === undefined;
  return (
    <>
      <PageHeader
        title="Trusted issuers"
        description="Workloads and applications exchange tokens of these issuers for short-lived gateway tokens."
        actions={!isEmpty && addButton}
      />
      {!isEmpty && (
        <FilterBar>
          <SearchField
            label="Search trusted issuers"
            value={q}
            onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
          />
        </FilterBar>
      )}
      <DataTable
        label="Trusted issuers"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/issuers/$slug", params: { slug } })}
        empty={
          q === undefined ? (
            <EmptyState icon={IconCertificate} title="No trusted issuers yet" actions={addButton}>
              Add an issuer so that CI jobs, pods, and applications can call tools without a stored access key.
            </EmptyState>
          ) : (
            <EmptyState
              icon={IconCertificate}
              title="No matching issuers"
              actions={
                <Button variant="default" onClick={() => void navigate({ search: {} })}>
                  Clear search
                </Button>
              }
            >
              The search covers names, slugs, and issuers.
            </EmptyState>
          )
        }
      />
      <CreateIssuer opened={add === "issuer" && changes} onClose={() => openAdd(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Issuer>> = [
  nameColumn(({ issuer }) => issuer),
  {
    key: "acts-as",
    header: "Acts as",
    width: "24%",
    hideBelow: "sm",
    render: (issuer) => <span className="gh-truncate">{actsAs(issuer)}</span>,
  },
  {
    key: "status",
    header: "Status",
    width: "8rem",
    narrowWidth: "7rem",
    render: ({ enabled }) => <IssuerPill enabled={enabled} />,
  },
  {
    key: "credentials",
    header: "Active credentials",
    width: "9rem",
    align: "right",
    hideBelow: "md",
    render: ({ active_credentials: count }) => count.toLocaleString("en"),
  },
  updatedColumn,
];

export function IssuerPill({ enabled }: { enabled: boolean }) {
  return <StatusPill tone={enabled ? "good" : "quiet"}>{enabled ? "Enabled" : "Disabled"}</StatusPill>;
}
