import { Tooltip } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { duration } from "../logs/call-labels.ts";
import type { Server, Standing } from "./servers.ts";
import "./status.css";

/** The first thing that somebody should know of a server. */
export function ServerStatus({ server }: { server: Standing }) {
  if (server.needs_setup) return <StatusPill tone="warn">Needs setup</StatusPill>;
  if (server.status === "draft") return <StatusPill tone="quiet">Draft</StatusPill>;
  return <StatusPill tone="good">Active</StatusPill>;
}

/** Whether its tools can be read, and when that was last tried. */
export function ServerHealth({ server }: { server: Standing }) {
  if (server.connection === null) return "–";
  if (server.sync_error !== null) return <StatusPill tone="bad">Not reached</StatusPill>;
  if (server.tools_synced_at === null) return <StatusPill tone="quiet">Not read yet</StatusPill>;
  if (server.tools_changed_count > 0) return <StatusPill tone="warn">Tools changed</StatusPill>;
  return <StatusPill tone="good">Reached</StatusPill>;
}

/** How long it takes to answer, or that it does not, by its last calls; and when the last one was. */
export function ServerAnswers({ server: { recent_calls: recent } }: { server: Pick<Server, "recent_calls"> }) {
  if (recent === null) return <span className="gh-dim">None yet</span>;
  const { calls, failed, median_ms: median, last_at: lastAt } = recent;
  const words = `Of its last ${calls === 1 ? "call" : `${calls} calls`}, ${failed === 0 ? "none" : failed} failed`;
  return (
    <span className="gh-two-lines">
      <Tooltip label={words}>
        <span data-fails={failed * 2 >= calls || undefined} className="gh-server-answers">
          {median === null || failed * 2 >= calls ? `${failed} of ${calls} failed` : duration(median)}
        </span>
      </Tooltip>
      <TimeAgo time={lastAt} />
    </span>
  );
}

/** "3 of 12": of those who reach it. */
export function connectedOf({ connections, users_count: users }: Pick<Server, "connections" | "users_count">): string {
  const { connected } = connections;
  return users < connected ? String(connected) : `${connected} of ${countedUsers(users)}`;
}

const MOST_COUNTED = 1_000;

/** The API counts so far and no further. */
export function countedUsers(count: number): string {
  return count > MOST_COUNTED ? `${MOST_COUNTED.toLocaleString("en")}+` : count.toLocaleString("en");
}
