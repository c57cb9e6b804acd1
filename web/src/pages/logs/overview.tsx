import { Button, Group, Skeleton, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import { useApi } from "../../api/context.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { formatCount, formatPercent } from "../../components/quantities.ts";
import { duration } from "./call-labels.ts";
import { type CallFilters, errorGroupsQuery, exceedsStats, type Totals, useCallStats } from "./calls.ts";
import { type Group as ErrorGroup, ErrorGroups, filtersOf } from "./error-groups.tsx";
import type { TimeWanted } from "./time-range.ts";

const LogHistogram = lazy(() => import("./log-histogram.tsx").then((module) => ({ default: module.LogHistogram })));
const LIVE_STATS_MS = 10_000;

interface OverviewProps {
  readonly filters: CallFilters;
  /** The loaded rows. Their number is shown when statistics do not support the filters. */
  readonly matching: { readonly count: number; readonly hasMore: boolean } | undefined;
  readonly isLive: boolean;
  readonly actions: ReactNode;
  onTime(time: TimeWanted): void;
  onFilter(patch: Partial<CallFilters>): void;
}

/** Totals, latency, and the calls over time. */
export function Overview({ filters, matching, isLive, actions, onTime, onFilter }: OverviewProps) {
  const { data, error } = useCallStats(filters, isLive ? LIVE_STATS_MS : false);
  return (
    <section aria-label="Calls over time" className="gh-log-overview">
      <Group gap="lg" className="gh-log-numbers">
        {exceedsStats(filters) ? <MatchingCount matching={matching} /> : <Numbers totals={data?.totals} />}
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
          The chart only supports the filters user, server, tool, method, and outcome.
        </Text>
      )}
      {(data?.totals.errors ?? 0) > 0 && <Failures filters={filters} isLive={isLive} onFilter={onFilter} />}
    </section>
  );
}

function MatchingCount({ matching }: Pick<OverviewProps, "matching">) {
  if (!matching) return <Skeleton width={72} height={36} />;
  return (
    <NumberList entries={[{ name: "Calls", value: `${formatCount(matching.count)}${matching.hasMore ? "+" : ""}` }]} />
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
  return <NumberList entries={entries} />;
}

interface NumberEntry {
  readonly name: string;
  readonly value: string;
  readonly tone?: string | undefined;
}

function NumberList({ entries }: { entries: readonly NumberEntry[] }) {
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
  const [isOpen, { toggle }] = useDisclosure();
  if (isUnsupported || !data || data.length === 0) return null;
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <section aria-label="Errors" className="gh-log-errors">
      <Button
        size="compact-sm"
        variant="subtle"
        color="gray"
        leftSection={<Chevron size={15} />}
        aria-expanded={isOpen}
        onClick={toggle}
      >
        {summaryOf(data)}
      </Button>
      {isOpen && <ErrorGroups groups={data} onChoose={(group) => onFilter(filtersOf(group))} />}
    </section>
  );
}

/** "48 errors in 4 groups" */
function summaryOf(groups: readonly ErrorGroup[]): string {
  const errors = groups.reduce((sum, { calls }) => sum + calls, 0);
  const inGroups = groups.length === 1 ? "1 group" : `${groups.length} groups`;
  return `${formatCount(errors)} ${errors === 1 ? "error" : "errors"} in ${inGroups}`;
}
