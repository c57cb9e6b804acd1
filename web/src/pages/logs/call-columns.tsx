import type { Column } from "../../components/data-table.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { type Call, duration, OUTCOME_LABELS } from "./call-labels.ts";

const clock = new Intl.DateTimeFormat("en-US", { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
const day = new Intl.DateTimeFormat("en-US", { day: "numeric", month: "short" });

export const CALL_COLUMNS: ReadonlyArray<Column<Call>> = [
  { key: "time", header: "Time", width: "8.75rem", narrowWidth: "6.5rem", render: ({ ts }) => <CallTime ts={ts} /> },
  {
    key: "outcome",
    header: "Outcome",
    width: "10.5rem",
    narrowWidth: "8.75rem",
    render: ({ outcome }) => (
      <StatusPill tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</StatusPill>
    ),
  },
  {
    key: "what",
    header: "Call",
    render: ({ server_slug: slug, tool, method, error }) => (
      <span className="gh-call">
        <span className="gh-truncate">
          {slug !== null && <span className="gh-call-server">{slug} / </span>}
          {tool ?? method}
        </span>
        {error !== null && <span className="gh-call-message gh-truncate">{error}</span>}
      </span>
    ),
  },
  {
    key: "user",
    header: "User",
    width: "22%",
    hideBelow: "md",
    render: ({ user_email: email }) => email,
  },
  {
    key: "duration",
    header: "Duration",
    width: "5.5rem",
    align: "right",
    hideBelow: "sm",
    render: ({ duration_ms: ms }) => duration(ms),
  },
];

/** The time of day, with the date if it is not today. Small screens omit the seconds. */
function CallTime({ ts }: { ts: string }) {
  const at = new Date(ts);
  const isToday = at.toDateString() === new Date().toDateString();
  return (
    <time dateTime={ts} className="gh-call-time">
      {!isToday && `${day.format(at)}, `}
      {clock.format(at)}
      <span className="gh-call-seconds">:{String(at.getSeconds()).padStart(2, "0")}</span>
    </time>
  );
}
