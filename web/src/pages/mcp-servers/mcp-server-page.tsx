import { Button, Skeleton } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Logo } from "../../components/logo.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { ServerAccess } from "./server-access.tsx";
import { ServerAuth } from "./server-auth.tsx";
import { ServerCalls } from "./server-calls.tsx";
import { useServerChanges } from "./server-changes.ts";
import { ServerConnections } from "./server-connections.tsx";
import { ServerOverview } from "./server-overview.tsx";
import { ServerSettings } from "./server-settings.tsx";
import { ServerTools } from "./server-tools.tsx";
import { type Detail, serverQuery } from "./servers.ts";
import { ServerStatus } from "./status.tsx";

const route = getRouteApi("/mcp-servers/$slug");
const PARENT = { label: "MCP servers", to: "/mcp-servers" };

export function McpServerPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const { data, error, refetch } = useQuery(serverQuery(api, slug));
  if (data) return <ServerDetail key={slug} server={data.data} />;
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} mark={<Skeleton width={28} height={28} />} title={slug} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}

function ServerDetail({ server }: { server: Detail }) {
  const { tab = "overview" } = route.useSearch();
  const { connected, reconnect_needed: waiting } = server.connections;
  return (
    <>
      <PageHeader
        parent={PARENT}
        mark={<Logo url={server.logo_url} size={28} />}
        title={server.name}
        aside={<ServerStatus server={server} />}
        description={server.description}
        actions={<SyncButton server={server} />}
      />
      <ManagedNote kind="servers" name={server.slug} />
      <UrlTabs
        label="Server"
        value={tab}
        tabs={[
          { value: "overview", label: "Overview" },
          { value: "tools", label: `Tools ${server.tools_count}` },
          { value: "auth", label: "Authentication" },
          { value: "access", label: `Access ${server.groups.length}` },
          { value: "connections", label: `Connections ${connected + waiting}` },
          { value: "logs", label: "Calls" },
          { value: "settings", label: "Settings" },
        ]}
      />
      {tab === "overview" && <ServerOverview server={server} />}
      {tab === "tools" && <ServerTools server={server} />}
      {tab === "auth" && (
        <ManagedArea kind="servers" name={server.slug}>
          <ServerAuth server={server} />
        </ManagedArea>
      )}
      {tab === "access" && <ServerAccess server={server} />}
      {tab === "connections" && <ServerConnections server={server} />}
      {tab === "logs" && <ServerCalls server={server} />}
      {tab === "settings" && (
        <ManagedArea kind="servers" name={server.slug}>
          <ServerSettings server={server} />
        </ManagedArea>
      )}
    </>
  );
}

function SyncButton({ server }: { server: Detail }) {
  const { changes } = useRights();
  const { sync } = useServerChanges(server);
  // Without a sync account, only connected users can load the tools.
  const canSync = server.auth_type === "none" || server.sync_user_email !== null;
  if (!changes || server.connection === null || !canSync) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      loading={sync.isPending}
      onClick={() => sync.mutate()}
    >
      Sync tools
    </Button>
  );
}
