import { Group, Skeleton, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { formatCount, formatPercent } from "../../components/quantities.ts";
import { duration } from "./call-labels.ts";
import { type CallFilters, errorGroupsQuery, exceedsStats, type Totals, useCallStats } from "./calls.ts";
import { ErrorGroups, filtersOf } from "./error-groups.tsx";
import type { TimeWanted } from "./time-range.ts";

const LogHistogram = lazy(() => import("./log-histogram.tsx").then((module) => ({ default: module.LogHistogram })));
const LIVE_STATS_MS = 10_000;

interface OverviewProps {
  readonly filters: CallFilters;
  readonly isLive: boolean;
  readonly actions: ReactNode;
  onTime(time: TimeWanted): void;
  onFilter(patch: Partial<CallFilters>): void;
}

/** Totals, latency, and the calls over time. */
export function Overview({ filters, isLive, actions, onTime, onFilter }: OverviewProps) {
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
      {exceedsStats(filters) && (
        <Text size="xs" c="dimmed">
          The chart and totals only support the filters user, server, tool, method, and outcome.
        </Text>
      )}
      {(data?.totals.errors ?? 0) > 0 && <Failures filters={filters} isLive={isLive} onFilter={onFilter} />}
    </section>
  );
}

function Numbers({ totals }: { totals: Totals | undefined }) {
  if (!totals) return <Skeleton width={320} height={36} />;
  const { calls: count, errors, duration_ms: latency } = totals;
  const failed = errors === 0 ? "0" : `${formatCount(errors)} · ${formatPercent(errors, count)}`;
  const entries = [
    { name: "Calls", value: formatCount(count) },
    { name: "Failed", value: failed, tone: errors > 0 ? "bad" : undefined },
    { name: "Median", value: latency.p50 === null ? "–" : duration(latency.p50) },
    { name: "p95", value: latency.p95 === null ? "–" : duration(latency.p95) },
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

interface FailuresProps {
  readonly filters: CallFilters;
  readonly isLive: boolean;
  onFilter(patch: Partial<CallFilters>): void;
}

/** Error groups. Hidden while filters are set that the groups do not support. */
function Failures({ filters, isLive, onFilter }: FailuresProps) {
  const isUnsupported = exceedsStats(filters) || (filters.user ?? filters.tool ?? filters.method) !== undefined;
  const { data } = useQuery({
    ...errorGroupsQuery(useApi(), filters),
    enabled: !isUnsupported,
    refetchInterval: isLive ? LIVE_STATS_MS : false,
  });
  if (isUnsupported || !data || data.length === 0) return null;
  return (
    <section aria-label="Errors" className="gh-log-errors">
      <ErrorGroups groups={data} onChoose={(group) => onFilter(filtersOf(group))} />
    </section>
  );
}
