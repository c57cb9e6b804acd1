import { Button, Switch } from "@mantine/core";
import { IconActivity, IconPlayerPlay, IconRefresh } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { settingsQuery } from "../settings/settings.ts";
import { CALL_COLUMNS } from "./call-columns.tsx";
import { CallPanel } from "./call-panel.tsx";
import { type CallFilters, fetchCalls, logsKey } from "./calls.ts";
import { ExportMenu } from "./export-menu.tsx";
import { useIsAtTop } from "./is-at-top.ts";
import { useLiveCalls } from "./live-calls.ts";
import { LogFilters } from "./log-filters.tsx";
import { Overview } from "./overview.tsx";
import { TimeFilter } from "./time-filter.tsx";
import type { TimeWanted } from "./time-range.ts";
import { ViewsMenu } from "./views-menu.tsx";
import "./logs.css";

const route = getRouteApi("/logs");

export function LogsPage() {
  const api = useApi();
  const queries = useQueryClient();
  const { live, call: openId, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const isAtTop = useIsAtTop();
  const isLive = live === "on" && filters.to === undefined;
  const listKey = [...logsKey, "list", filters];
  const list = useCursorPages(listKey, (cursor, signal) => fetchCalls(api, filters, cursor, signal), {
    isAppendOnly: true,
  });
  const rows = useLiveCalls({
    filters,
    rows: list.isPending || list.isStale ? undefined : list.rows,
    tailCursor: list.firstPage?.pagination.tailCursor,
    isOn: isLive && isAtTop && openId === undefined,
    onGap: () => void queries.resetQueries({ queryKey: listKey }),
  });
  const shown = { ...list, rows: list.isStale ? list.rows : rows };

  const choose = (patch: Partial<CallFilters>) =>
    void navigate({ search: (old) => ({ ...old, ...patch, call: undefined }), replace: true });
  const chooseTime = (time: TimeWanted) => void navigate({ search: (old) => ({ ...old, ...time, call: undefined }) });
  const open = (call: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, call }), replace: openId !== undefined && call !== undefined });
  const refresh = () => void queries.resetQueries({ queryKey: logsKey });
  const { range: _range, from: _from, to: _to, lists: _lists, ...narrowing } = filters;
  const isFiltered = Object.values(narrowing).some((value) => value !== undefined);
  const clear = () =>
    void navigate({
      search: ({ range, from, to, lists, live: on }) => ({ range, from, to, lists, live: on }),
      replace: true,
    });

  return (
    <>
      <PageHeader
        title="Logs"
        description={<About />}
        actions={
          <>
            <ViewsMenu filters={filters} onChoose={(search) => void navigate({ search })} />
            <ExportMenu filters={filters} />
            <LiveButton
              isOn={isLive}
              isPaused={!isAtTop || openId !== undefined}
              onChange={(on) =>
                void navigate({
                  search: (old) => ({
                    ...old,
                    live: on ? "on" : undefined,
                    ...(on ? { from: undefined, to: undefined } : {}),
                  }),
                  replace: true,
                })
              }
            />
          </>
        }
      />
      <Overview
        filters={filters}
        matching={shown.isPending ? undefined : { count: shown.rows.length, hasMore: shown.hasMore }}
        isLive={isLive}
        onTime={chooseTime}
        onFilter={choose}
        actions={
          <>
            <Switch
              label="Show list requests"
              checked={filters.lists === "shown"}
              onChange={(event) => choose({ lists: event.currentTarget.checked ? "shown" : undefined })}
            />
            <TimeFilter value={filters} onChange={chooseTime} />
            {!isLive && (
              <Button variant="default" onClick={refresh} leftSection={<IconRefresh size={15} />} fw={400}>
                Refresh
              </Button>
            )}
          </>
        }
      />
      <LogFilters filters={filters} onChange={choose} onClear={isFiltered ? clear : undefined} />
      <DataTable
        label="Calls"
        isCompact
        list={shown}
        columns={CALL_COLUMNS}
        rowKey={({ id }) => id}
        onOpen={({ id }) => open(id)}
        openKey={openId}
        empty={isFiltered ? <NothingFound onClear={clear} /> : <NoCalls />}
      />
      <CallPanel id={openId} rows={shown.rows} onOpen={open} onFilter={(patch) => choose(patch)} />
    </>
  );
}

function About() {
  const api = useApi();
  const { data } = useQuery(settingsQuery(api));
  const days = data?.call_log_retention_days;
  return (
    <>
      Calls of tools, prompts, resources, and completions, with their caller and outcome.
      {days !== undefined && ` Retained for ${days === 1 ? "1 day" : `${days} days`}.`}
    </>
  );
}

interface LiveButtonProps {
  readonly isOn: boolean;
  /** Updates resume when the user scrolls to the top and closes the panel. */
  readonly isPaused: boolean;
  onChange(isOn: boolean): void;
}

function LiveButton({ isOn, isPaused, onChange }: LiveButtonProps) {
  const label = isOn && isPaused ? "Live (paused)" : "Live";
  return (
    <Button
      variant="default"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      leftSection={
        isOn ? <span className="gh-live-dot" data-paused={isPaused || undefined} /> : <IconPlayerPlay size={15} />
      }
    >
      {label}
    </Button>
  );
}

function NoCalls() {
  return (
    <EmptyState
      icon={IconActivity}
      title="No calls in this time range"
      actions={<LinkButton to="/playground">Open the playground</LinkButton>}
    >
      Calls of users and machine users appear here immediately. Select a longer time range to see older calls.
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconActivity}
      title="No matching calls"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      The search matches parts of errors, users, servers, and tools. Other filters match exact names. Try a longer time
      range.
    </EmptyState>
  );
}
