import { Button, Chip, Menu, Text } from "@mantine/core";
import { IconBraces, IconLink, IconPlus, IconServer2 } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton, LinkItem } from "../../components/links.tsx";
import { Logo } from "../../components/logo.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { AddServerDialog } from "./add-server-dialog.tsx";
import { ServerMenu } from "./server-menu.tsx";
import { AUTH_WORDS, fetchServers, type Server, serversKey } from "./servers.ts";
import { ServerHealth, ServerStatus } from "./status.tsx";

const route = getRouteApi("/mcp-servers");

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "draft", label: "Draft" },
] as const;

const AUTH_TYPES = [
  { value: "none", label: AUTH_WORDS.none },
  { value: "proxy-oauth", label: AUTH_WORDS["proxy-oauth"] },
  { value: "proxy-api-key", label: AUTH_WORDS["proxy-api-key"] },
] as const;

export function McpServersPage() {
  const api = useApi();
  const { changes } = useRights();
  const { add, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const list = usePages([...serversKey, "list", filters], (cursor, signal) =>
    fetchServers(api, filters, cursor, signal),
  );
  const choose = (patch: Partial<typeof filters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const openAdd = (how: "url" | "json" | undefined) => void navigate({ search: (old) => ({ ...old, add: how }) });
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        title="MCP servers"
        description="The servers behind your gateway. Groups decide who reaches them; every tool is called by {slug}__{tool}."
        actions={changes && <AddMenu onAdd={openAdd} />}
      />
      <FilterBar count={list.total === undefined ? undefined : counted(list.total)}>
        <SearchField label="Search servers" value={filters.q} onChange={(q) => choose({ q })} />
        <Choice
          label="Status"
          any="Any status"
          value={filters.status}
          options={STATUSES}
          onChange={(status) => choose({ status })}
        />
        <Choice
          label="What users need"
          any="Any sign-in"
          value={filters.auth}
          options={AUTH_TYPES}
          onChange={(auth) => choose({ auth })}
        />
        <Chip
          checked={filters.attention === "yes"}
          onChange={(checked) => choose({ attention: checked ? "yes" : undefined })}
        >
          Needs attention
        </Chip>
      </FilterBar>
      <DataTable
        label="MCP servers"
        list={list}
        columns={COLUMNS}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/mcp-servers/$slug", params: { slug } })}
        {...(changes ? { rowMenu: (server: Server) => <ServerMenu server={server} /> } : {})}
        empty={
          isFiltered ? <NothingFound onClear={() => void navigate({ search: {} })} /> : <NoServers onAdd={openAdd} />
        }
      />
      <AddServerDialog how={add} onClose={() => openAdd(undefined)} onSwitch={openAdd} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Server>> = [
  {
    key: "name",
    header: "Name",
    render: ({ name, slug, logo_url: logoUrl }) => (
      <>
        <Logo url={logoUrl} />
        <span className="gh-two-lines">
          <span className="gh-truncate">{name}</span>
          <code className="gh-truncate">{slug}</code>
        </span>
      </>
    ),
  },
  { key: "status", header: "Status", width: "8rem", render: (server) => <ServerStatus server={server} /> },
  {
    key: "health",
    header: "Health",
    width: "9rem",
    hideBelow: "sm",
    render: (server) => <ServerHealth server={server} />,
  },
  {
    key: "groups",
    header: "Groups",
    hideBelow: "lg",
    render: ({ groups }) => (
      <Text size="sm" c={groups.length === 0 ? "dimmed" : "inherit"} truncate title={groups.join(", ")}>
        {groups.length === 0 ? "None: nobody reaches it" : groups.join(", ")}
      </Text>
    ),
  },
  {
    key: "auth",
    header: "Users need",
    width: "8.5rem",
    hideBelow: "md",
    render: ({ auth_type: type }) => AUTH_WORDS[type],
  },
  {
    key: "connected",
    header: "Connected",
    width: "6rem",
    align: "right",
    hideBelow: "md",
    render: ({ auth_type: type, connections: { connected, reconnect_needed: waiting } }) =>
      type === "none" ? "–" : waiting === 0 ? connected : `${connected} of ${connected + waiting}`,
  },
  {
    key: "tools",
    header: "Tools",
    width: "4.5rem",
    align: "right",
    hideBelow: "sm",
    render: ({ tools_count: count }) => count,
  },
];

function AddMenu({ onAdd }: { onAdd: (how: "url" | "json") => void }) {
  return (
    <Menu width={220}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} />}>Add server</Button>
      </Menu.Target>
      <Menu.Dropdown>
        <LinkItem to="/catalog" leftSection={<IconServer2 size={16} />}>
          From the catalog
        </LinkItem>
        <Menu.Item leftSection={<IconLink size={16} />} onClick={() => onAdd("url")}>
          By its address
        </Menu.Item>
        <Menu.Item leftSection={<IconBraces size={16} />} onClick={() => onAdd("json")}>
          From an mcp.json
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function NoServers({ onAdd }: { onAdd: (how: "url" | "json") => void }) {
  const { changes } = useRights();
  const actions = (
    <>
      <LinkButton to="/catalog">Browse the catalog</LinkButton>
      <Button variant="default" onClick={() => onAdd("url")}>
        Add by address
      </Button>
      <Button variant="default" onClick={() => onAdd("json")}>
        Paste an mcp.json
      </Button>
    </>
  );
  return (
    <EmptyState icon={IconServer2} title="No MCP servers yet" actions={changes && actions}>
      Add the servers that your people and agents should reach. Take one from the catalog, give an address, or bring the
      mcp.json that you already have.
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconServer2}
      title="No server matches"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Names and descriptions are searched.
    </EmptyState>
  );
}

function counted(total: number): string {
  return total === 1 ? "1 server" : `${total.toLocaleString("en")} servers`;
}
