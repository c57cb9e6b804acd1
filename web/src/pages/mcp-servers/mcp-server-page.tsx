import { Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Logo } from "../../components/logo.tsx";
import { Note } from "../../components/note.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { UrlTabs } from "../../components/url-tabs.tsx";
import { AUTH_WORDS, serversKey } from "./servers.ts";

const route = getRouteApi("/mcp-servers/$slug");
const PARENT = { label: "MCP servers", to: "/mcp-servers" };

type Detail = Schemas["McpServerDetail"];

export function McpServerPage() {
  const api = useApi();
  const { slug } = route.useParams();
  const { tab = "overview" } = route.useSearch();
  const { data, error, refetch } = useQuery({
    queryKey: [...serversKey, "one", slug],
    queryFn: ({ signal }) => api.getMcpServer({ path: { slug }, signal }),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <ServerSkeleton slug={slug} />;
  const server = data.data;
  return (
    <>
      <PageHeader
        parent={PARENT}
        mark={<Logo url={server.logo_url} size={28} />}
        title={server.name}
        aside={<ServerStatus server={server} />}
        description={server.description}
      />
      <UrlTabs
        label="Server"
        value={tab}
        tabs={[
          { value: "overview", label: "Overview" },
          { value: "tools", label: `Tools ${server.tools_count}` },
        ]}
      />
      {tab === "overview" ? <Overview server={server} /> : <Tools server={server} />}
    </>
  );
}

function ServerStatus({ server }: { server: Detail }) {
  if (server.needs_setup) return <StatusPill tone="warn">Needs setup</StatusPill>;
  return server.status === "active" ? (
    <StatusPill tone="good">Active</StatusPill>
  ) : (
    <StatusPill tone="quiet">Draft</StatusPill>
  );
}

function Overview({ server }: { server: Detail }) {
  const { connection, sync_error: syncError } = server;
  return (
    <Section title="Upstream">
      {syncError !== null && (
        <Note tone="bad">
          <strong>Its tools could not be read.</strong> {syncError}
        </Note>
      )}
      <KeyValues
        items={[
          ["Slug", <CopyText key="slug" value={server.slug} label="Copy slug" />],
          ["Address", connection && <CopyText value={connection.url} label="Copy address" />],
          ["Transport", connection?.transport ?? null],
          ["What users need", AUTH_WORDS[server.auth_type]],
          ["Tools", `${server.tools_count} of ${server.all_tools.length} enabled`],
          ["Tools last read", <TimeAgo key="read" time={server.tools_synced_at} />],
          ["Added", <TimeAgo key="added" time={server.created_at} />],
          ["Last changed", <TimeAgo key="changed" time={server.updated_at} />],
        ]}
      />
    </Section>
  );
}

type Tool = Detail["all_tools"][number];

const COLUMNS: ReadonlyArray<Column<Tool>> = [
  {
    key: "name",
    header: "Tool",
    width: "30%",
    render: ({ name }) => (
      <Text size="sm" fw={500} truncate>
        {name}
      </Text>
    ),
  },
  {
    key: "description",
    header: "Description",
    hideBelow: "sm",
    render: ({ description }) => (
      <Text size="sm" c="dimmed" truncate>
        {description}
      </Text>
    ),
  },
  {
    key: "enabled",
    header: "State",
    width: "7rem",
    render: ({ enabled, held }) => {
      if (held) return <StatusPill tone="warn">Held</StatusPill>;
      return enabled ? <StatusPill tone="good">Enabled</StatusPill> : <StatusPill tone="quiet">Off</StatusPill>;
    },
  },
];

function Tools({ server }: { server: Detail }) {
  return (
    <DataTable
      label="Tools"
      list={allRows(server.all_tools)}
      columns={COLUMNS}
      rowKey={({ slug }) => slug}
      empty={<Note>This server has listed no tools yet.</Note>}
    />
  );
}

function ServerSkeleton({ slug }: { slug: string }) {
  return (
    <div aria-busy="true">
      <PageHeader parent={PARENT} mark={<Skeleton width={28} height={28} />} title={slug} />
      <Skeleton height={320} mt="xl" />
    </div>
  );
}
