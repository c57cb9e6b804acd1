import { Switch, Text } from "@mantine/core";
import { IconPlayerPlay, IconTool } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { tellFailure, tellUndoable } from "../../components/tell.tsx";
import { useServerChanges } from "./server-changes.ts";
import type { Detail } from "./servers.ts";
import { ToolChanges } from "./tool-changes.tsx";

const route = getRouteApi("/mcp-servers/$slug");

type Tool = Detail["all_tools"][number];

export function ServerTools({ server }: { server: Detail }) {
  const { q } = route.useSearch();
  const navigate = route.useNavigate();
  const { changes } = useRights();
  const toggle = useToggle(server);
  const wanted = (q ?? "").toLowerCase();
  const tools = server.all_tools.filter(({ name, slug, description }) =>
    [name, slug, description].some((text) => text.toLowerCase().includes(wanted)),
  );
  const tryIt = ({ slug, name }: Tool) => (
    <RowAction
      icon={IconPlayerPlay}
      label={`Try ${name}`}
      onClick={() => void navigate({ to: "/playground", search: { tool: `${server.slug}__${slug}` } })}
    />
  );
  return (
    <>
      {server.tools_changed_count > 0 && <ToolChanges server={server} />}
      <FilterBar count={`${server.tools_count} of ${server.all_tools.length} enabled`}>
        <SearchField
          label="Search tools"
          value={q}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, q: next }), replace: true })}
        />
      </FilterBar>
      <DataTable
        label="Tools"
        list={allRows(tools)}
        columns={columnsFor(changes ? toggle : undefined)}
        rowKey={({ slug }) => slug}
        rowMenu={tryIt}
        empty={<NoTools server={server} isFiltered={wanted !== ""} />}
      />
    </>
  );
}

interface Toggle {
  readonly working: string | undefined;
  set(tool: Tool, enabled: boolean): void;
}

/** A tool that is switched off is gone for callers at once; one click brings it back. */
function useToggle({ slug, name }: Detail): Toggle {
  const api = useApi();
  const { refresh } = useServerChanges({ slug, name });
  const send = async (tool: Tool, enabled: boolean) => {
    const body = enabled ? { enable: [tool.slug] } : { disable: [tool.slug] };
    await api.updateMcpServerTools({ query: { slug }, body });
    await refresh();
  };
  const change = useMutation({
    mutationFn: ({ tool, enabled }: { tool: Tool; enabled: boolean }) => send(tool, enabled),
    onSuccess: (_answer, { tool, enabled }) =>
      tellUndoable(`${tool.name} is ${enabled ? "enabled" : "switched off"}.`, () => send(tool, !enabled)),
    onError: tellFailure,
  });
  return {
    working: change.isPending ? change.variables.tool.slug : undefined,
    set: (tool, enabled) => change.mutate({ tool, enabled }),
  };
}

function columnsFor(toggle: Toggle | undefined): ReadonlyArray<Column<Tool>> {
  return [
    {
      key: "name",
      header: "Tool",
      width: "34%",
      render: ({ name, slug }) => (
        <span className="gh-two-lines">
          <Text component="span" size="sm" fw={500} truncate>
            {name}
          </Text>
          {slug !== name && <code className="gh-truncate">{slug}</code>}
        </span>
      ),
    },
    {
      key: "description",
      header: "What the server says of it",
      hideBelow: "sm",
      render: ({ description }) => (
        <Text size="sm" c="dimmed" truncate title={description}>
          {description}
        </Text>
      ),
    },
    { key: "marks", header: "", width: "9rem", hideBelow: "md", render: (tool) => <Marks tool={tool} /> },
    {
      key: "enabled",
      header: "Enabled",
      width: "5.5rem",
      render: (tool) => (
        <Switch
          aria-label={`${tool.name} is enabled`}
          checked={tool.enabled}
          disabled={toggle === undefined || toggle.working === tool.slug}
          onChange={(event) => toggle?.set(tool, event.currentTarget.checked)}
        />
      ),
    },
  ];
}

function Marks({ tool: { change, held, invisible_characters: invisible } }: { tool: Tool }) {
  if (held) return <StatusPill tone="warn">Held back</StatusPill>;
  if (invisible.length > 0) return <StatusPill tone="bad">Invisible text</StatusPill>;
  if (change === null) return null;
  return <StatusPill tone="info">{change === "new" ? "New" : "Changed"}</StatusPill>;
}

function NoTools({ server, isFiltered }: { server: Detail; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={IconTool} title="No tool matches">
        Names and descriptions are searched.
      </EmptyState>
    );
  }
  const why =
    server.auth_type === "none"
      ? "They are read when the server is added and every now and then. “Read tools now” asks at once."
      : "They are read with somebody's connection: they appear when the first user has connected.";
  return (
    <EmptyState icon={IconTool} title="It has listed no tools yet">
      {why}
    </EmptyState>
  );
}
