import { Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { formatCount, formatPercent } from "../../components/quantities.ts";
import { formatDuration, type LastDay, type Statistics } from "./last-day.ts";
import "./home.css";

/** Calls, errors and how long they took, each with its course over the day. */
export function Numbers({ day }: { day: LastDay }) {
  if (day.error && !day.data) return <ErrorState error={day.error} onRetry={() => void day.refetch()} />;
  const { totals, series = [], users = [] } = day.data ?? {};
  const course = (value: (entry: Statistics["series"][number]) => number) => (
    <Course hours={series.map((entry) => ({ ts: entry.ts, value: value(entry) }))} />
  );
  return (
    <section className="gh-last-day" aria-label="The last 24 hours" aria-busy={day.isPending}>
      <Figure label="Calls" value={totals && formatCount(totals.calls)} to="/logs">
        {course(({ calls }) => calls)}
      </Figure>
      <Figure
        label="Errors"
        value={totals && formatCount(totals.errors)}
        aside={totals && formatPercent(totals.errors, totals.calls)}
        to="/logs"
      >
        {course(({ errors }) => errors)}
      </Figure>
      <Figure label="Time taken" value={totals && formatDuration(totals.duration_ms.p95)} aside="p95" to="/logs">
        {course(({ duration_ms: duration }) => duration.p95 ?? 0)}
      </Figure>
      <Figure label="Busiest caller" value={totals && (users[0]?.user_email ?? "Nobody yet")} isWords to="/logs">
        <span className="gh-figure-words">{users[0] && `${formatCount(users[0].calls)} calls`}</span>
      </Figure>
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  /** Undefined: not known yet. */
  readonly value: string | undefined;
  readonly aside?: string | undefined;
  readonly isWords?: boolean;
  readonly to: "/logs";
  readonly children: ReactNode;
}

function Figure({ label, value, aside, isWords, to, children }: FigureProps) {
  return (
    <Link to={to} className="gh-figure">
      <span className="gh-figure-label">{label}</span>
      <span className="gh-figure-value" data-words={isWords || undefined}>
        {value === undefined ? <Skeleton height={20} width={72} /> : <span className="gh-truncate">{value}</span>}
        {aside !== undefined && <small>{aside}</small>}
      </span>
      {children}
    </Link>
  );
}

const HEIGHT = 28;

/** Bars without axes: whether it is even, grows or has a peak. The numbers are in the log. */
function Course({ hours }: { hours: ReadonlyArray<{ readonly ts: string; readonly value: number }> }) {
  const most = Math.max(...hours.map(({ value }) => value), 1);
  const width = Math.max(hours.length, 1) * 4;
  return (
    <svg className="gh-course" viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden>
      {hours.map(({ ts, value }, at) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT);
        return (
          <rect
            key={ts}
            x={at * 4}
            y={HEIGHT - height}
            width={3}
            height={height}
            data-zero={value === 0 || undefined}
          />
        );
      })}
    </svg>
  );
}
