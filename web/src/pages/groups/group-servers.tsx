import { Box, Button, Text } from "@mantine/core";
import { IconServer2, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { TextLink } from "../../components/links.tsx";
import { Logo } from "../../components/logo.tsx";
import { formatTokens } from "../../components/quantities.ts";
import { RowAction } from "../../components/row-action.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import type { Tone } from "../../components/tone.ts";
import { AUTH_WORDS, fetchServers, type Server, serversKey } from "../mcp-servers/servers.ts";
import { GrantedTools } from "./granted-tools.tsx";
import { type Grant, useGrants } from "./grants.ts";
import { type Group, groupsKey } from "./groups.ts";
import { useMembership } from "./membership.ts";
import { SelectToolsDialog } from "./select-tools-dialog.tsx";

const route = getRouteApi("/groups/$name");

export function GroupServers({ group, onAdd }: { group: Group; onAdd: () => void }) {
  const api = useApi();
  const { changes } = useRights();
  const { q, select } = route.useSearch();
  const navigate = route.useNavigate();
  const { removeServer } = useMembership();
  const grants = useGrants({ group: group.name });
  const grantOf = (slug: string) => grants?.find(({ server }) => server === slug);
  const openSelection = (slug: string | undefined) => void navigate({ search: (old) => ({ ...old, select: slug }) });
  const filters = { q, group: group.name };
  const list = usePages([...serversKey, "list", filters], (cursor, signal) =>
    fetchServers(api, filters, cursor, signal),
  );
  const remove = ({ slug, name }: Server) => (
    <RowAction
      icon={IconX}
      label={`Remove ${name} from ${group.name}`}
      isWorking={removeServer.isPending && removeServer.variables.slug === slug}
      onClick={() => removeServer.mutate({ group: group.name, slug, name })}
    />
  );
  return (
    <>
      <FilterBar count={<GroupTokens group={group} />}>
        <SearchField
          label="Search servers"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Servers"
        list={list}
        columns={columnsFor(group, grantOf, ({ server }) => openSelection(server))}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/mcp-servers/$slug", params: { slug } })}
        {...(changes ? { rowMenu: remove } : {})}
        empty={
          q === undefined ? (
            <EmptyState
              icon={IconServer2}
              title="No servers yet"
              actions={changes && <Button onClick={onAdd}>Add servers</Button>}
            >
              Add the MCP servers whose tools members can call.
            </EmptyState>
          ) : (
            <EmptyState icon={IconServer2} title="No matching servers">
              The search covers names and descriptions.
            </EmptyState>
          )
        }
      />
      <SelectToolsDialog
        grant={changes && select !== undefined ? grantOf(select) : undefined}
        onClose={() => openSelection(undefined)}
      />
    </>
  );
}

/** How much of a model's context the tools of the group take. */
function GroupTokens({ group: { name } }: { group: Group }) {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...groupsKey, "tokens", name],
    queryFn: ({ signal }) => api.getGroup({ path: { name }, signal }),
  });
  const tokens = data?.data.tokens_estimate ?? 0;
  return tokens > 0 ? <>About {formatTokens(tokens)} tokens</> : null;
}

/** Whether the members of the group can call the server. */
function statusIn(
  { show_draft_mcps: showsDrafts }: Group["settings"],
  { status, connection }: Pick<Server, "status" | "connection">,
): { label: string; tone: Tone } {
  if (connection === null) return { label: "Needs setup", tone: "warn" };
  if (status === "active") return { label: "Active", tone: "good" };
  return showsDrafts ? { label: "Draft, visible", tone: "info" } : { label: "Draft, hidden", tone: "quiet" };
}

function columnsFor(
  { settings }: Group,
  grantOf: (slug: string) => Grant | undefined,
  onSelect: (grant: Grant) => void,
): ReadonlyArray<Column<Server>> {
  return [
    {
      key: "name",
      header: "Name",
      render: ({ name, slug, logo_url: logoUrl, ...server }) => (
        <>
          <Logo url={logoUrl} />
          <span className="gh-two-lines">
            <span className="gh-truncate">{name}</span>
            <span className="gh-truncate">
              <Box component="code" visibleFrom="sm">
                {slug}
              </Box>
              <Box component="span" hiddenFrom="sm">
                {statusIn(settings, server).label}
              </Box>
            </span>
          </span>
        </>
      ),
    },
    {
      key: "status",
      header: "Status",
      width: "10rem",
      hideBelow: "sm",
      render: (server) => {
        const { label, tone } = statusIn(settings, server);
        return <StatusPill tone={tone}>{label}</StatusPill>;
      },
    },
    {
      key: "auth",
      header: "Authentication",
      width: "9rem",
      hideBelow: "md",
      render: ({ auth_type: type }) => <Text size="sm">{AUTH_WORDS[type]}</Text>,
    },
    {
      key: "tools",
      header: "Tools",
      width: "10rem",
      narrowWidth: "7rem",
      render: ({ slug }) => <GrantedTools grant={grantOf(slug)} onSelect={onSelect} />,
    },
    {
      key: "access",
      header: "Access",
      width: "8rem",
      hideBelow: "md",
      render: ({ slug }) => (
        <TextLink to="/access" search={{ tab: "tool", server: slug }} size="sm" className="gh-above-row">
          Who can call it
        </TextLink>
      ),
    },
  ];
}
