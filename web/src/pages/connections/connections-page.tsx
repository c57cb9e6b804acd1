import { Box, Button, Skeleton, Text } from "@mantine/core";
import { IconPlugConnected } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
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
import { UrlTabs } from "../../components/url-tabs.tsx";
import { ConnectionPanel } from "./connection-panel.tsx";
import {
  connectionsKey,
  fetchMyServers,
  type MyServer,
  needsUser,
  openSignIn,
  STATES,
  useConnectedElsewhere,
} from "./connections.ts";
import { MyClients } from "./my-clients.tsx";

const route = getRouteApi("/connections");

const STATE_CHOICES = [
  { value: "waiting", label: "Not connected" },
  { value: "connected", label: "Ready to use" },
] as const;

// Loaded with their tabs: the first page of members must stay small.
const MoreServers = lazy(async () => ({ default: (await import("../requests/more-servers.tsx")).MoreServers }));
const MyRequests = lazy(async () => ({ default: (await import("../requests/my-requests.tsx")).MyRequests }));

const TABS = [
  { value: "yours", label: "Your servers" },
  { value: "more", label: "All servers" },
  { value: "requests", label: "Requests" },
] as const;

export function ConnectionsPage() {
  const { tab = "yours", q, for: of } = route.useSearch();
  const navigate = route.useNavigate();
  const { organization } = useMe();
  const hasTabs = organization.access_requests && of === undefined;
  const search = (next: string | undefined) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true });
  return (
    <>
      <PageHeader
        title={of === undefined ? "Connections" : `Connections of ${of}`}
        description={
          of === undefined
            ? "MCP servers that you can use. Connect your account where a server requires it. Your MCP clients then call the server as you."
            : "MCP servers that this machine user can use. As its owner, you can connect an account for it. Its calls then use that account."
        }
      />
      {hasTabs && <UrlTabs label="Connections" value={tab} tabs={TABS} />}
      {hasTabs && (
        <Suspense fallback={<Skeleton height={320} />}>
          {tab === "more" && <MoreServers q={q} onSearch={search} />}
          {tab === "requests" && <MyRequests />}
        </Suspense>
      )}
      {(!hasTabs || tab === "yours") && <YourServers />}
    </>
  );
}

function YourServers() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { servers, list } = useMyServers(search);
  useConnectedElsewhere();
  const { q, state, open, for: of } = search;
  const choose = (patch: Partial<typeof search>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const show = (slug: string | undefined) => void navigate({ search: (old) => ({ ...old, open: slug }) });
  const waiting = servers?.filter(needsUser).length ?? 0;
  return (
    <>
      <FilterBar count={servers && (waiting === 0 ? "All connected" : `${waiting} not connected`)}>
        <SearchField label="Search servers" value={q} onChange={(text) => choose({ q: text })} />
        <Choice
          label="Status"
          any="Any status"
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
      (state === undefined || (state === "waiting") === needsUser(server)),
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
      header: "Status",
      width: "11rem",
      hideBelow: "sm",
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
      width: "9rem",
      align: "right",
      render: (server) => <ConnectAction server={server} of={of} show={show} />,
    },
  ];
}

/** Above the row's link, so that one click is enough. On small screens it replaces the status column. */
function ConnectAction({
  server,
  of,
  show,
}: {
  server: MyServer;
  of: string | undefined;
  show: (slug: string) => void;
}) {
  const { status } = server.connection;
  if (!needsUser(server)) {
    return (
      <Box hiddenFrom="sm">
        <StatusPill tone={STATES[status].tone}>{STATES[status].label}</StatusPill>
      </Box>
    );
  }
  const usesKey = server.auth_type === "proxy-api-key";
  const verb = usesKey ? "Enter API key" : status === "reconnect_needed" ? "Reconnect" : "Connect";
  return (
    <Button
      size="compact-sm"
      pos="relative"
      style={{ zIndex: 1 }}
      aria-label={usesKey ? `Enter API key for ${server.name}` : `${verb} ${server.name}`}
      onClick={() => (usesKey ? show(server.slug) : openSignIn(server, of))}
    >
      {verb}
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
      <EmptyState icon={IconPlugConnected} title="No servers match" actions={clear}>
        The search covers names, descriptions, and slugs.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={IconPlugConnected}
      title="No servers yet"
      actions={changes && <LinkButton to="/mcp-servers">View MCP servers</LinkButton>}
    >
      Groups give people access to servers.{" "}
      {changes ? (
        "Add yourself to a group with servers."
      ) : (
        <>
          Ask <Contact contact={organization.help_contact} /> to add you to one.
        </>
      )}
    </EmptyState>
  );
}
