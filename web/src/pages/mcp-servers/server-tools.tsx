import { Button, Switch, Text } from "@mantine/core";
import { IconPlayerPlay, IconTool } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Choice, FilterBar, SearchField } from "../../components/filter-bar.tsx";
import { notifyFailure, notifyWithUndo } from "../../components/notify.tsx";
import { formatTokens } from "../../components/quantities.ts";
import { RowAction } from "../../components/row-action.tsx";
import { useMayChange } from "../config/managed-note.tsx";
import { ConnectAccount, needsAccount } from "./connect-account.tsx";
import { useServerChanges } from "./server-changes.ts";
import { ServerInstructions } from "./server-instructions.tsx";
import type { Detail } from "./servers.ts";
import { ToolChanges } from "./tool-changes.tsx";
import { EFFECTS, effectOf, ToolEffect } from "./tool-effect.tsx";
import { CapabilityMark, isHidden, ToolMark, ToolPanel } from "./tool-panel.tsx";

const route = getRouteApi("/mcp-servers/$slug");

type Tool = Detail["all_tools"][number];

export function ServerTools({ server }: { server: Detail }) {
  const { q, hint, tool: shown } = route.useSearch();
  const navigate = route.useNavigate();
  const changes = useMayChange({ kind: "servers", name: server.slug, fields: ["disabled_tools"] });
  const toggle = useToggle(server);
  const wanted = (q ?? "").toLowerCase();
  const isFiltered = wanted !== "" || hint !== undefined;
  const tools = server.all_tools.filter(
    (tool) =>
      [tool.name, tool.slug, tool.description].some((text) => text.toLowerCase().includes(wanted)) &&
      (hint === undefined || effectOf(tool.hints) === hint),
  );
  const choose = (patch: { q?: string | undefined; hint?: typeof hint }) =>
    void navigate({ search: (old) => ({ ...old, ...patch }), replace: true });
  const open = (tool: string | undefined) => void navigate({ search: (old) => ({ ...old, tool }) });
  const tryIt = ({ slug, name }: Tool) => (
    <RowAction
      icon={IconPlayerPlay}
      label={`Try ${name}`}
      onClick={() => void navigate({ to: "/playground", search: { tool: `${server.slug}__${slug}` } })}
    />
  );
  if (needsAccount(server)) return <ConnectAccount server={server} />;
  return (
    <>
      {server.tools_changed_count > 0 && <ToolChanges server={server} />}
      <FilterBar count={countOf(server)}>
        <SearchField label="Search tools" value={q} onChange={(next) => choose({ q: next })} />
        <Choice
          label="Effect"
          any="Any effect"
          value={hint}
          options={EFFECTS}
          onChange={(next) => choose({ hint: next })}
        />
        {changes && isFiltered && <ToggleShown tools={tools} toggle={toggle} />}
      </FilterBar>
      <DataTable
        label="Tools"
        list={allRows(tools)}
        columns={columnsFor(changes ? toggle : undefined)}
        rowKey={({ slug }) => slug}
        onOpen={({ slug }) => open(slug)}
        openKey={shown}
        rowMenu={tryIt}
        empty={<NoTools server={server} isFiltered={isFiltered} />}
      />
      <ServerInstructions server={server} />
      <ToolPanel
        server={server}
        tool={server.all_tools.find(({ slug }) => slug === shown)}
        onClose={() => open(undefined)}
      />
    </>
  );
}

function countOf({
  tools_count: enabled,
  all_tools: all,
  tools_held_count: held,
  tokens_estimate: tokens,
}: Detail): string {
  const review = held > 0 ? `, ${held} held for review` : "";
  return `${enabled} of ${all.length} enabled${review}${tokens > 0 ? `, about ${formatTokens(tokens)} tokens` : ""}`;
}

/** Enables or disables all tools that match the filters, such as all destructive ones. */
function ToggleShown({ tools, toggle }: { tools: readonly Tool[]; toggle: Toggle }) {
  const shown = tools.filter((tool) => !isHidden(tool));
  const [on, off] = [shown.filter(({ enabled }) => enabled), shown.filter(({ enabled }) => !enabled)];
  return (
    <>
      {on.length > 1 && (
        <Button variant="default" loading={toggle.isWorking(on)} onClick={() => toggle.set(on, false)}>
          Disable these {on.length}
        </Button>
      )}
      {off.length > 1 && (
        <Button variant="default" loading={toggle.isWorking(off)} onClick={() => toggle.set(off, true)}>
          Enable these {off.length}
        </Button>
      )}
    </>
  );
}

interface Toggle {
  isWorking(tools: readonly Tool[]): boolean;
  set(tools: readonly Tool[], enabled: boolean): void;
}

function useToggle({ slug, name }: Detail): Toggle {
  const api = useApi();
  const { refresh } = useServerChanges({ slug, name });
  const send = async (tools: readonly Tool[], enabled: boolean) => {
    const slugs = tools.map((tool) => tool.slug);
    await api.updateMcpServerTools({ query: { slug }, body: enabled ? { enable: slugs } : { disable: slugs } });
    await refresh();
  };
  const change = useMutation({
    mutationFn: ({ tools, enabled }: { tools: readonly Tool[]; enabled: boolean }) => send(tools, enabled),
    onSuccess: (_answer, { tools, enabled }) => {
      const what = tools.length === 1 ? tools[0]?.name : `${tools.length} tools`;
      notifyWithUndo(`${enabled ? "Enabled" : "Disabled"} ${what}`, () => send(tools, !enabled));
    },
    onError: notifyFailure,
  });
  const working = change.isPending ? change.variables.tools : [];
  return {
    isWorking: (tools) => tools.some(({ slug: each }) => working.some((tool) => tool.slug === each)),
    set: (tools, enabled) => change.mutate({ tools, enabled }),
  };
}

function columnsFor(toggle: Toggle | undefined): ReadonlyArray<Column<Tool>> {
  return [
    {
      key: "name",
      header: "Tool",
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
      header: "Description",
      hideBelow: "sm",
      render: ({ description }) => (
        <Text size="sm" c="dimmed" truncate title={description}>
          {description}
        </Text>
      ),
    },
    {
      key: "effect",
      header: "Effect",
      width: "13rem",
      hideBelow: "md",
      render: (tool) => (
        <span className="gh-tool-marks">
          {!isHidden(tool) && <ToolMark tool={tool} />}
          <ToolEffect hints={tool.hints} />
          <CapabilityMark tool={tool} />
        </span>
      ),
    },
    {
      key: "enabled",
      header: "Status",
      width: "9rem",
      narrowWidth: "7.5rem",
      render: (tool) =>
        isHidden(tool) ? (
          <ToolMark tool={tool} />
        ) : (
          <Switch
            className="gh-tool-switch"
            aria-label={`${tool.name} is enabled`}
            checked={tool.enabled}
            disabled={toggle === undefined || toggle.isWorking([tool])}
            onChange={(event) => toggle?.set([tool], event.currentTarget.checked)}
          />
        ),
    },
  ];
}

function NoTools({ server, isFiltered }: { server: Detail; isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState icon={IconTool} title="No matching tools">
        The search covers names and descriptions.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconTool} title={server.tools_synced_at === null ? "Not synced yet" : "No tools"}>
      {server.tools_synced_at === null
        ? (server.health.message ?? "Tools are synced when the server is added and periodically after that.")
        : "The server lists no tools."}
    </EmptyState>
  );
}
