import { Skeleton } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ErrorState } from "../../components/error-state.tsx";
import { formatCount, formatPercent } from "../../components/quantities.ts";
import { formatDuration, type LastDay, type Statistics } from "./last-day.ts";
import "./home.css";

/** Calls, errors, and latency of the last 24 hours, each with a small chart. */
export function Numbers({ day }: { day: LastDay }) {
  if (day.error && !day.data) return <ErrorState error={day.error} onRetry={() => void day.refetch()} />;
  const { totals, series = [], users = [] } = day.data ?? {};
  const chart = (value: (entry: Statistics["series"][number]) => number, tone?: "bad") => (
    <HourChart hours={series.map((entry) => ({ ts: entry.ts, value: value(entry) }))} tone={tone} />
  );
  return (
    <section className="gh-last-day" aria-label="Last 24 hours" aria-busy={day.isPending}>
      <Figure label="Calls" value={totals && formatCount(totals.calls)} to="/logs">
        {chart(({ calls }) => calls)}
      </Figure>
      <Figure
        label="Errors"
        value={totals && formatCount(totals.errors)}
        aside={totals && formatPercent(totals.errors, totals.calls)}
        to="/logs"
      >
        {chart(({ errors }) => errors, "bad")}
      </Figure>
      <Figure label="Latency" value={totals && formatDuration(totals.duration_ms.p95)} aside="p95" to="/logs">
        {chart(({ duration_ms: duration }) => duration.p95 ?? 0)}
      </Figure>
      <Figure label="Most active user" value={totals && (users[0]?.user_email ?? "None")} isText to="/logs">
        <span className="gh-figure-text">{users[0] && `${formatCount(users[0].calls)} calls`}</span>
      </Figure>
    </section>
  );
}

interface FigureProps {
  readonly label: string;
  /** Undefined while it loads. */
  readonly value: string | undefined;
  readonly aside?: string | undefined;
  readonly isText?: boolean;
  readonly to: "/logs";
  readonly children: ReactNode;
}

function Figure({ label, value, aside, isText, to, children }: FigureProps) {
  return (
    <Link to={to} className="gh-figure">
      <span className="gh-figure-label">{label}</span>
      <span className="gh-figure-value" data-text={isText || undefined}>
        {value === undefined ? <Skeleton height={20} width={72} /> : <span className="gh-truncate">{value}</span>}
        {aside !== undefined && <small>{aside}</small>}
      </span>
      {children}
    </Link>
  );
}

const HEIGHT = 28;

interface HourChartProps {
  readonly hours: ReadonlyArray<{ readonly ts: string; readonly value: number }>;
  readonly tone?: "bad" | undefined;
}

/** A bar chart without axes, one bar per hour. */
function HourChart({ hours, tone }: HourChartProps) {
  const max = Math.max(...hours.map(({ value }) => value), 1);
  const width = Math.max(hours.length, 1) * 4;
  return (
    <svg
      className="gh-hour-chart"
      data-tone={tone}
      viewBox={`0 0 ${width} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {hours.map(({ ts, value }, at) => {
        const height = value === 0 ? 1 : Math.max(2, (value / max) * HEIGHT);
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
