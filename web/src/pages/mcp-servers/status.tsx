import { Tooltip } from "@mantine/core";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import type { Tone } from "../../components/tone.ts";
import { duration } from "../logs/call-labels.ts";
import type { Server, ServerState } from "./servers.ts";
import "./status.css";

export function ServerStatus({ server }: { server: ServerState }) {
  if (server.needs_setup) return <StatusPill tone="warn">Needs setup</StatusPill>;
  if (server.status === "draft") return <StatusPill tone="quiet">Draft</StatusPill>;
  return <StatusPill tone="good">Active</StatusPill>;
}

const HEALTH: Readonly<Record<ServerState["health"]["status"], readonly [tone: Tone, label: string]>> = {
  healthy: ["good", "Healthy"],
  failing: ["bad", "Failing"],
  unreachable: ["bad", "Unreachable"],
  not_synced: ["quiet", "Not synced"],
};

function healthOf({ health, tools_changed_count: changed }: ServerState): readonly [tone: Tone, label: string] {
  return health.status === "healthy" && changed > 0 ? ["warn", "Tools changed"] : HEALTH[health.status];
}

/** Failures show their cause, everything else the time of the last sync. */
export function ServerHealth({ server }: { server: ServerState }) {
  const { health } = server;
  const [tone, label] = healthOf(server);
  return (
    <span className="gh-server-health">
      <StatusPill tone={tone}>{label}</StatusPill>
      <span className="gh-dim gh-truncate" title={health.message ?? undefined}>
        {tone === "bad" ? health.message : <LastSync server={server} />}
      </span>
    </span>
  );
}

/** For narrow screens, which have no health column: below the name. */
export function HealthWithName({ server }: { server: ServerState }) {
  const { health } = server;
  const [tone, label] = healthOf(server);
  return (
    <span className="gh-health-with-name gh-truncate" data-tone={tone}>
      {tone === "bad" && health.message !== null ? `${label}: ${health.message}` : label}
    </span>
  );
}

function LastSync({ server }: { server: ServerState }) {
  if (server.connection === null || server.tools_synced_at === null) return null;
  return (
    <>
      Synced <TimeAgo time={server.tools_synced_at} />
    </>
  );
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
