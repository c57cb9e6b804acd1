import { Button, Chip, Menu } from "@mantine/core";
import { IconBraces, IconLink, IconPlus, IconServer2 } from "@tabler/icons-react";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { LinkButton, LinkItem } from "../../components/links.tsx";
import { MenuItems } from "../../components/menu-items.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import type { Selection } from "../../components/row-selection.ts";
import type { Sorting } from "../../components/table-head.tsx";
import { GroupChoice } from "../groups/group-choice.tsx";
import { useAllGroups } from "../groups/groups.ts";
import { AddServerDialog } from "./add-server-dialog.tsx";
import { BulkActions, type Picked } from "./bulk-actions.tsx";
import { SERVER_COLUMNS } from "./server-columns.tsx";
import { ServerMenu } from "./server-menu.tsx";
import {
  AUTH_WORDS,
  countedServers,
  fetchServerNames,
  fetchServers,
  type Server,
  type ServerFilters,
  serversKey,
} from "./servers.ts";

const route = getRouteApi("/mcp-servers");

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "draft", label: "Draft" },
] as const;

const SORTS = ["name", "tools", "synced"] as const;

const AUTH_TYPES = [
  { value: "none", label: AUTH_WORDS.none },
  { value: "proxy-oauth", label: AUTH_WORDS["proxy-oauth"] },
  { value: "proxy-api-key", label: AUTH_WORDS["proxy-api-key"] },
  { value: "exchanged-token", label: AUTH_WORDS["exchanged-token"] },
] as const;

// Defined once, so that rows are not rendered again while more are loaded.
const slugOf = ({ slug }: Server) => slug;
const pageOf = ({ slug }: Server) => ({ to: "/mcp-servers/$slug", params: { slug } }) as const;
const menuOf = (server: Server) => <ServerMenu server={server} />;
const selectLabel = ({ name }: Server) => `Select ${name}`;

export function McpServersPage() {
  const api = useApi();
  const { changes } = useRights();
  const { add, ...filters } = route.useSearch();
  const { sort, order, ...narrowing } = filters;
  const navigate = route.useNavigate();
  const [picked, setPicked] = useState<Picked>(new Map());
  const list = usePages([...serversKey, "list", filters], (cursor, signal) =>
    fetchServers(api, filters, cursor, signal),
  );
  const choose = (patch: Partial<typeof filters>) => {
    setPicked(new Map());
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  };
  const openAdd = (how: "url" | "json" | undefined) => void navigate({ search: (old) => ({ ...old, add: how }) });
  const sorting: Sorting = {
    by: sort,
    order: order ?? "asc",
    // Sorting keeps the selection, because the servers are the same.
    onSort: (by, next) =>
      void navigate({
        search: (old) => ({
          ...old,
          sort: SORTS.find((name) => name === by),
          order: next === "desc" ? next : undefined,
        }),
        replace: true,
      }),
  };
  const isFiltered = Object.values(narrowing).some((value) => value !== undefined);
  const selection: Selection<Server> = {
    selected: picked,
    onSelect: (servers, isPicked) => setPicked((old) => withServers(old, servers, isPicked)),
    label: selectLabel,
  };
  return (
    <>
      <PageHeader
        title="MCP servers"
        description="The servers behind your gateway. Groups control who can use them. Tools are named {slug}__{tool}."
        actions={changes && <AddMenu onAdd={openAdd} />}
      />
      <ServerFilterBar
        filters={narrowing}
        count={list.total === undefined ? undefined : countedServers(list.total)}
        onChoose={choose}
      />
      <DataTable
        label="MCP servers"
        list={list}
        columns={SERVER_COLUMNS}
        rowKey={slugOf}
        rowLink={pageOf}
        sorting={sorting}
        {...(changes ? { rowMenu: menuOf, selection } : {})}
        empty={
          isFiltered ? (
            <NoMatchingServers onClear={() => void navigate({ search: {} })} />
          ) : (
            <NoServers onAdd={openAdd} />
          )
        }
      />
      <BulkActions
        picked={picked}
        onPick={setPicked}
        total={list.total}
        pickAll={() => fetchServerNames(api, narrowing)}
      />
      <AddServerDialog how={add} onClose={() => openAdd(undefined)} onSwitch={openAdd} />
    </>
  );
}

function withServers(old: Picked, servers: readonly Server[], isPicked: boolean): Picked {
  const next = new Map(old);
  for (const server of servers) {
    if (isPicked) next.set(server.slug, server);
    else next.delete(server.slug);
  }
  return next;
}

interface ServerFilterBarProps {
  readonly filters: ServerFilters;
  readonly count: string | undefined;
  onChoose(patch: ServerFilters): void;
}

function ServerFilterBar({ filters, count, onChoose }: ServerFilterBarProps) {
  const groups = useAllGroups();
  return (
    <FilterBar count={count}>
      <SearchField label="Search servers" value={filters.q} onChange={(q) => onChoose({ q })} />
      <Choice
        label="Status"
        any="Any status"
        value={filters.status}
        options={STATUSES}
        onChange={(status) => onChoose({ status })}
      />
      <Choice
        label="Authentication"
        any="Any authentication"
        value={filters.auth}
        options={AUTH_TYPES}
        onChange={(auth) => onChoose({ auth })}
      />
      <GroupChoice groups={groups} value={filters.group} onChange={(group) => onChoose({ group })} />
      <Chip
        checked={filters.attention === "yes"}
        onChange={(checked) => onChoose({ attention: checked ? "yes" : undefined })}
      >
        Needs attention
      </Chip>
    </FilterBar>
  );
}

function AddMenu({ onAdd }: { onAdd: (how: "url" | "json") => void }) {
  return (
    <Menu width={220}>
      <Menu.Target>
        <Button leftSection={<IconPlus size={16} />}>Add server</Button>
      </Menu.Target>
      <MenuItems>
        <LinkItem to="/catalog" leftSection={<IconServer2 size={16} />}>
          From catalog
        </LinkItem>
        <Menu.Item leftSection={<IconLink size={16} />} onClick={() => onAdd("url")}>
          From URL
        </Menu.Item>
        <Menu.Item leftSection={<IconBraces size={16} />} onClick={() => onAdd("json")}>
          From mcp.json
        </Menu.Item>
      </MenuItems>
    </Menu>
  );
}

function NoServers({ onAdd }: { onAdd: (how: "url" | "json") => void }) {
  const { changes } = useRights();
  const actions = (
    <>
      <LinkButton to="/catalog">Browse the catalog</LinkButton>
      <Button variant="default" onClick={() => onAdd("url")}>
        Add from URL
      </Button>
      <Button variant="default" onClick={() => onAdd("json")}>
        Import mcp.json
      </Button>
    </>
  );
  return (
    <EmptyState icon={IconServer2} title="No MCP servers yet" actions={changes && actions}>
      Add the servers that your users and agents need: choose one from the catalog, enter a URL, or import an mcp.json
      file.
    </EmptyState>
  );
}

function NoMatchingServers({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconServer2}
      title="No matching servers"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The search covers names and descriptions.
    </EmptyState>
  );
}
