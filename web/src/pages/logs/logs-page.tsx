import { Button, Group, Skeleton, Text } from "@mantine/core";
import { IconActivity, IconPlayerPlay, IconRefresh } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useApi } from "../../api/context.tsx";
import { useCursorPages } from "../../api/pages.ts";
import { DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { LinkButton } from "../../components/links.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { CALL_COLUMNS } from "./call-columns.tsx";
import { CallPanel } from "./call-panel.tsx";
import { type CallFilters, fetchCalls, isBeyondStats, logsKey, type Totals, useCallStats } from "./calls.ts";
import { ExportMenu } from "./export-menu.tsx";
import { useIsAtTop } from "./is-at-top.ts";
import { useLiveCalls } from "./live-calls.ts";
import { LogFilters } from "./log-filters.tsx";
import { TimeFilter } from "./time-filter.tsx";
import type { TimeWanted } from "./time-range.ts";
import { calls, duration } from "./words.ts";
import "./logs.css";

const route = getRouteApi("/logs");
const LogHistogram = lazy(() => import("./log-histogram.tsx").then((module) => ({ default: module.LogHistogram })));
const LIVE_STATS_MS = 10_000;

export function LogsPage() {
  const api = useApi();
  const queries = useQueryClient();
  const { live, call: openId, ...filters } = route.useSearch();
  const navigate = route.useNavigate();
  const isAtTop = useIsAtTop();
  const isLive = live === "on" && filters.to === undefined;
  const listKey = [...logsKey, "list", filters];
  const list = useCursorPages(listKey, (cursor, signal) => fetchCalls(api, filters, cursor, signal), {
    isWrittenOnce: true,
  });
  const rows = useLiveCalls({
    filters,
    rows: list.isPending || list.isStale ? undefined : list.rows,
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
  const { range: _range, from: _from, to: _to, ...narrowing } = filters;
  const isFiltered = Object.values(narrowing).some((value) => value !== undefined);
  const clear = () =>
    void navigate({ search: ({ range, from, to, live: on }) => ({ range, from, to, live: on }), replace: true });

  return (
    <>
      <PageHeader
        title="Logs"
        description={<About />}
        actions={
          <>
            <ExportMenu filters={filters} />
            <LiveButton
              isOn={isLive}
              isWaiting={!isAtTop || openId !== undefined}
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
        isLive={isLive}
        onTime={chooseTime}
        actions={
          <>
            <TimeFilter value={filters} onChange={chooseTime} />
            {!isLive && (
              <Button variant="default" onClick={refresh} leftSection={<IconRefresh size={15} />} fw={400}>
                Refresh
              </Button>
            )}
          </>
        }
      />
      <LogFilters
        filters={filters}
        count={shown.isPending || shown.hasMore ? undefined : calls(shown.rows.length)}
        onChange={choose}
        onClear={isFiltered ? clear : undefined}
      />
      <DataTable
        label="Calls"
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
  const { data } = useQuery({ queryKey: ["settings"], queryFn: ({ signal }) => api.getSettings({ signal }) });
  const days = data?.data.call_log_retention_days;
  return (
    <>
      Every list and every call at the gateway, with who made it and how it ended.
      {days !== undefined && ` Calls are kept for ${days === 1 ? "one day" : `${days} days`}.`}
    </>
  );
}

interface LiveButtonProps {
  readonly isOn: boolean;
  /** It goes on when the person is done reading. */
  readonly isWaiting: boolean;
  onChange(isOn: boolean): void;
}

function LiveButton({ isOn, isWaiting, onChange }: LiveButtonProps) {
  const words = isOn ? (isWaiting ? "Paused while you read" : "Live") : "Live";
  return (
    <Button
      variant="default"
      aria-pressed={isOn}
      onClick={() => onChange(!isOn)}
      leftSection={
        isOn ? <span className="gh-live-dot" data-waiting={isWaiting || undefined} /> : <IconPlayerPlay size={15} />
      }
    >
      {words}
    </Button>
  );
}

interface OverviewProps {
  readonly filters: CallFilters;
  readonly isLive: boolean;
  readonly actions: React.ReactNode;
  onTime(time: TimeWanted): void;
}

/** How many, how well, how fast; and when. */
function Overview({ filters, isLive, actions, onTime }: OverviewProps) {
  const { data, error } = useCallStats(filters, isLive ? LIVE_STATS_MS : false);
  return (
    <section aria-label="Calls over time" className="gh-log-overview">
      <Group gap="lg" className="gh-log-numbers">
        <Numbers totals={data?.totals} />
        <Group gap="xs" ml="auto">
          {actions}
        </Group>
      </Group>
      {error && !data ? (
        <ErrorNote error={error} />
      ) : (
        <Suspense fallback={<Skeleton height={112} />}>
          {data ? (
            <LogHistogram
              {...data}
              onSelect={(from, to) =>
                onTime({ range: undefined, from: new Date(from).toISOString(), to: new Date(to).toISOString() })
              }
            />
          ) : (
            <Skeleton height={112} />
          )}
        </Suspense>
      )}
      {isBeyondStats(filters) && (
        <Text size="xs" c="dimmed">
          The chart counts by minutes, and so knows nothing of the text, the request id or the least duration asked for.
        </Text>
      )}
    </section>
  );
}

function Numbers({ totals }: { totals: Totals | undefined }) {
  if (!totals) return <Skeleton width={320} height={36} />;
  const { calls: count, errors, duration_ms: took } = totals;
  const rate = count === 0 ? 0 : (errors / count) * 100;
  const failed = errors === 0 ? "0" : `${errors.toLocaleString("en")} · ${percent(rate)}`;
  const entries = [
    { name: "Calls", value: count.toLocaleString("en") },
    { name: "Failed", value: failed, tone: errors > 0 ? "bad" : undefined },
    { name: "Median", value: took.p50 === null ? "–" : duration(took.p50) },
    { name: "p95", value: took.p95 === null ? "–" : duration(took.p95) },
  ];
  return (
    <dl className="gh-numbers">
      {entries.map(({ name, value, tone }) => (
        <div key={name} data-tone={tone}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function percent(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} %`;
}

function NoCalls() {
  return (
    <EmptyState
      icon={IconActivity}
      title="No calls in this time"
      actions={<LinkButton to="/playground">Make one in the playground</LinkButton>}
    >
      Whatever people and machine users call through the gateway appears here at once. Choose a longer time above to
      look further back.
    </EmptyState>
  );
}

function NothingFound({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      icon={IconActivity}
      title="No call matches"
      actions={
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      }
    >
      Names must be whole; the search looks for parts of errors, users, servers and tools. Perhaps it was earlier.
    </EmptyState>
  );
}
