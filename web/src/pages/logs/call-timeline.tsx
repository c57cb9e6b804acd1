import type { Schemas } from "../../api/client.ts";
import { duration } from "./call-labels.ts";
import "./call-timeline.css";

/** The time spent in Gatehouse and at the MCP server. */
export function CallTimeline({ timeline }: { timeline: Schemas["LogDetail"]["timeline"] }) {
  const after = (wanted: string) => timeline.find(({ event }) => event === wanted)?.after_ms;
  const total = after("ended") ?? 0;
  const forwarded = after("forwarded");
  const parts = [
    {
      part: "gatehouse",
      label: forwarded === undefined ? "Gatehouse (not forwarded)" : "Gatehouse",
      ms: forwarded ?? total,
    },
    ...(forwarded === undefined
      ? []
      : [{ part: "server", label: "MCP server and response", ms: Math.max(0, total - forwarded) }]),
  ];
  return (
    <div className="gh-timeline">
      <div className="gh-timeline-bar" aria-hidden>
        {parts.map(({ part, ms }) => (
          <span key={part} data-part={part} style={{ flexGrow: Math.max(total === 0 ? 1 : ms / total, 0.001) }} />
        ))}
      </div>
      <ul>
        {parts.map(({ part, label, ms }) => (
          <li key={part} data-part={part}>
            {label}: {duration(ms)}
          </li>
        ))}
      </ul>
    </div>
  );
}
