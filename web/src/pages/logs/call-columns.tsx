import type { Column } from "../../components/data-table.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { type Call, duration, OUTCOME_LABELS } from "./call-labels.ts";

const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

export const CALL_COLUMNS: ReadonlyArray<Column<Call>> = [
  { key: "time", header: "Time", width: "5.75rem", narrowWidth: "4.75rem", render: ({ ts }) => <CallTime ts={ts} /> },
  {
    key: "outcome",
    header: "Outcome",
    width: "8.75rem",
    narrowWidth: "6.5rem",
    render: ({ outcome }) => (
      <StatusPill tone={OUTCOME_LABELS[outcome].tone}>{OUTCOME_LABELS[outcome].label}</StatusPill>
    ),
  },
  {
    key: "what",
    header: "Call",
    render: ({ server_slug: slug, tool, method, error }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">
          {slug !== null && <span className="gh-call-server">{slug} / </span>}
          {tool ?? method}
        </span>
        {error !== null && <span className="gh-truncate">{error}</span>}
      </span>
    ),
  },
  {
    key: "user",
    header: "User",
    width: "28%",
    hideBelow: "sm",
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

function CallTime({ ts }: { ts: string }) {
  const at = new Date(ts);
  const isToday = at.toDateString() === new Date().toDateString();
  return (
    <time dateTime={ts} className="gh-two-lines gh-call-time">
      <span>{clock.format(at)}</span>
      {!isToday && <span>{day.format(at)}</span>}
    </time>
  );
}
