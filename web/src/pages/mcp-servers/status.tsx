import { Tooltip } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { duration } from "../logs/call-labels.ts";
import type { Server, ServerState } from "./servers.ts";
import "./status.css";

export function ServerStatus({ server }: { server: ServerState }) {
  if (server.needs_setup) return <StatusPill tone="warn">Needs setup</StatusPill>;
  if (server.status === "draft") return <StatusPill tone="quiet">Draft</StatusPill>;
  return <StatusPill tone="good">Active</StatusPill>;
}

export function ServerHealth({ server }: { server: ServerState }) {
  if (server.connection === null) return "–";
  if (server.sync_error !== null) return <StatusPill tone="bad">Unreachable</StatusPill>;
  if (server.tools_synced_at === null) return <StatusPill tone="quiet">Not synced</StatusPill>;
  if (server.tools_changed_count > 0) return <StatusPill tone="warn">Tools changed</StatusPill>;
  return <StatusPill tone="good">Healthy</StatusPill>;
}

/** The median latency of the last calls or, if most failed, how many did; and the time of the last call. */
export function ServerLatency({ server: { recent_calls: recent } }: { server: Pick<Server, "recent_calls"> }) {
  if (recent === null) return <span className="gh-dim">No calls</span>;
  const { calls, failed, median_ms: median, last_at: lastAt } = recent;
  const summary = `${failed} of the last ${calls === 1 ? "call" : `${calls} calls`} failed`;
  return (
    <span className="gh-two-lines">
      <Tooltip label={summary}>
        <span data-fails={failed * 2 >= calls || undefined} className="gh-server-latency">
          {median === null || failed * 2 >= calls ? `${failed} of ${calls} failed` : duration(median)}
        </span>
      </Tooltip>
      <TimeAgo time={lastAt} />
    </span>
  );
}

/** "3 of 12": connected users out of users with access. */
export function connectedOf({ connections, users_count: users }: Pick<Server, "connections" | "users_count">): string {
  const { connected } = connections;
  return users < connected ? String(connected) : `${connected} of ${countedUsers(users)}`;
}

const MOST_COUNTED = 1_000;

/** The API stops counting at this number. */
export function countedUsers(count: number): string {
  return count > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString("en")}+` : count.toLocaleString("en");
}
