import { Button, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useMe, useRights } from "../../api/context.tsx";
import { Contact } from "../../components/contact.tsx";
import { allRows, type Column, DataTable, type TableRows } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton } from "../../components/links.tsx";
import { Logo } from "../../components/logo.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ConnectionPanel } from "./connection-panel.tsx";
import {
  connectionsKey,
  fetchMyServers,
  isWaiting,
  type MyServer,
  STATES,
  signInElsewhere,
  useMadeElsewhere,
} from "./connections.ts";
import { MyClients } from "./my-clients.tsx";

const route = getRouteApi("/connections");

const STATE_CHOICES = [
  { value: "waiting", label: "To be connected" },
  { value: "connected", label: "Ready to use" },
] as const;

export function ConnectionsPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { servers, list } = useMyServers(search);
  useMadeElsewhere();
  const { q, state, open, for: of } = search;
  const choose = (patch: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const show = (slug: string | undefined) => void navigate({ search: (old) => ({ ...old, open: slug }) });
  const waiting = servers?.filter(isWaiting).length ?? 0;
  return (
    <>
      <PageHeader
        title={of === undefined ? "Connections" : `Connections of ${of}`}
        description={
          of === undefined
            ? "The servers that you may use. Where one asks who you are, connect once: your agents then act as you, and nobody else gets your account."
            : "The servers that this machine user may use. You own it, so you may connect on its behalf: its calls then carry the account that you connect here."
        }
      />
      <FilterBar count={servers && (waiting === 0 ? "All connected" : `${waiting} to be connected`)}>
        <SearchField label="Search servers" value={q} onChange={(text) => choose({ q: text })} />
        <Choice
          label="State"
          any="Any state"
          value={state}
          options={STATE_CHOICES}
          onChange={(chosen) => choose({ state: chosen })}
        />
      </FilterBar>
      <DataTable
        label="Servers"
        list={list}
        columns={columnsFor(of, show)}
        rowKey={({ slug }) => slug}
        onOpen={({ slug }) => show(slug)}
        openKey={open}
        empty={
          <Nothing
            isFiltered={q !== undefined || state !== undefined}
            onClear={() => choose({ q: undefined, state: undefined })}
          />
        }
      />
      {of === undefined && <MyClients />}
      <ConnectionPanel server={servers?.find(({ slug }) => slug === open)} of={of} onClose={() => show(undefined)} />
    </>
  );
}

function useMyServers({
  q,
  state,
  for: of,
}: {
  q?: string | undefined;
  state?: string | undefined;
  for?: string | undefined;
}) {
  const api = useApi();
  const query = useQuery({
    queryKey: [...connectionsKey, of],
    queryFn: ({ signal }) => fetchMyServers(api, of, signal),
    refetchOnWindowFocus: "always",
  });
  const servers = query.data;
  const wanted = q?.toLowerCase() ?? "";
  const rows = (servers ?? []).filter(
    (server) =>
      `${server.name} ${server.slug} ${server.description}`.toLowerCase().includes(wanted) &&
      (state === undefined || (state === "waiting") === isWaiting(server)),
  );
  const list: TableRows<MyServer> = {
    ...allRows(rows),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  return { servers, list };
}

function columnsFor(of: string | undefined, show: (slug: string) => void): ReadonlyArray<Column<MyServer>> {
  return [
    {
      key: "name",
      header: "Server",
      render: ({ name, description, slug, logo_url: logoUrl }) => (
        <>
          <Logo url={logoUrl} />
          <span className="gh-two-lines">
            <span className="gh-truncate">{name}</span>
            <span className="gh-truncate">{description === "" ? slug : description}</span>
          </span>
        </>
      ),
    },
    {
      key: "state",
      header: "State",
      width: "9.5rem",
      render: ({ connection: { status } }) => (
        <StatusPill tone={STATES[status].tone}>{STATES[status].label}</StatusPill>
      ),
    },
    {
      key: "used",
      header: "Last used",
      width: "8rem",
      hideBelow: "md",
      render: ({ last_used_at: time }) => (
        <Text size="sm" c="dimmed" component="span">
          <TimeAgo time={time} never="–" />
        </Text>
      ),
    },
    {
      key: "tools",
      header: "Tools",
      width: "5rem",
      align: "right",
      hideBelow: "sm",
      render: (server) => server.tools_count,
    },
    {
      key: "act",
      header: "",
      width: "8rem",
      align: "right",
      hideBelow: "sm",
      render: (server) => <Act server={server} of={of} show={show} />,
    },
  ];
}

/** Above the row's own target, so that one click is enough. */
function Act({ server, of, show }: { server: MyServer; of: string | undefined; show: (slug: string) => void }) {
  if (!isWaiting(server)) return null;
  const byKey = server.auth_type === "proxy-api-key";
  return (
    <Button
      size="compact-sm"
      pos="relative"
      style={{ zIndex: 1 }}
      aria-label={`${byKey ? "Enter a key for" : "Connect"} ${server.name}`}
      onClick={() => (byKey ? show(server.slug) : signInElsewhere(server, of))}
    >
      {byKey ? "Enter key" : "Connect"}
    </Button>
  );
}

function Nothing({ isFiltered, onClear }: { isFiltered: boolean; onClear: () => void }) {
  const { changes } = useRights();
  const { organization } = useMe();
  if (isFiltered) {
    const clear = (
      <Button variant="default" onClick={onClear}>
        Clear filters
      </Button>
    );
    return (
      <EmptyState icon={IconPlugConnected} title="No server matches" actions={clear}>
        Names, descriptions and slugs are searched.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No servers for you yet"
      actions={changes && <LinkButton to="/mcp-servers">Look at the servers</LinkButton>}
    >
      Groups decide which servers a person reaches.{" "}
      {changes ? (
        "Put yourself into one that has some."
      ) : (
        <>
          Ask <Contact contact={organization.help_contact} /> to add you to one.
        </>
      )}
    </EmptyState>
  );
}
