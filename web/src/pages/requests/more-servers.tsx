import { Box, Button, Group } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { Logo } from "../../components/logo.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { RequestDialog } from "./request-dialog.tsx";
import { type CatalogServer, requestsKey } from "./requests.ts";

interface MoreServersProps {
  readonly q: string | undefined;
  onSearch(q: string | undefined): void;
}

/** All active servers of the organization, and whether the user has access. */
export function MoreServers({ q, onSearch }: MoreServersProps) {
  const api = useApi();
  const [asking, setAsking] = useState<CatalogServer>();
  const list = usePages([...requestsKey, "catalog", q], (cursor, signal) =>
    api.listMyCatalog({ query: { search: q, cursor, limit: 100 }, signal }),
  );
  return (
    <>
      <FilterBar>
        <SearchField label="Search servers" value={q} onChange={onSearch} />
      </FilterBar>
      <DataTable
        label="All servers"
        list={list}
        columns={columnsFor(setAsking)}
        rowKey={({ slug }) => slug}
        empty={
          <EmptyState icon={IconServer2} title={q === undefined ? "No servers yet" : "No servers match"}>
            {q === undefined
              ? "Active servers of the organization appear here."
              : "The search covers names and descriptions."}
          </EmptyState>
        }
      />
      <RequestDialog server={asking} onClose={() => setAsking(undefined)} />
    </>
  );
}

function columnsFor(ask: (server: CatalogServer) => void): ReadonlyArray<Column<CatalogServer>> {
  return [
    {
      key: "name",
      header: "Server",
      render: ({ name, description, slug, logo_url: logoUrl }) => (
        <Group gap="xs" wrap="nowrap" miw={0}>
          <Logo url={logoUrl} />
          <span className="gh-two-lines">
            <span className="gh-truncate">{name}</span>
            <span className="gh-truncate">{description === "" ? slug : description}</span>
          </span>
        </Group>
      ),
    },
    {
      key: "access",
      header: "Your access",
      width: "10rem",
      hideBelow: "sm",
      render: (server) => <Access {...server} />,
    },
    {
      key: "tools",
      header: "Tools",
      width: "5rem",
      align: "right",
      hideBelow: "sm",
      render: ({ tools_count: count }) => count,
    },
    {
      key: "ask",
      header: "",
      width: "10rem",
      align: "right",
      render: (server) =>
        server.access === "all" || server.requested ? (
          <Box hiddenFrom="sm">
            <Access {...server} />
          </Box>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Request access to ${server.name}`}
            onClick={() => ask(server)}
          >
            Request access
          </Button>
        ),
    },
  ];
}

function Access({ access, requested, granted_tools: granted, tools_count: total }: CatalogServer) {
  if (access === "all") return <StatusPill tone="good">All tools</StatusPill>;
  if (requested) return <StatusPill tone="warn">Requested</StatusPill>;
  if (access === "some") return <StatusPill tone="info">{`${granted} of ${total} tools`}</StatusPill>;
  return <StatusPill tone="quiet">No access</StatusPill>;
}
