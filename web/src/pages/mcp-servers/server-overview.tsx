import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { Bars, Figures } from "../../components/figures.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { formatPercent } from "../../components/quantities.ts";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { authLabelOf } from "./auth-methods.ts";
import { ConnectAccount, needsAccount } from "./connect-account.tsx";
import { type Detail, serverQuery, usersConnect } from "./servers.ts";
import { connectedOf, countedUsers, ServerHealth } from "./status.tsx";

export function ServerOverview({ server }: { server: Detail }) {
  return (
    <>
      <Attention server={server} />
      {needsAccount(server) && <ConnectAccount server={server} />}
      <LastDay server={server} />
      <Section title="Upstream">
        <KeyValues items={factsOf(server)} />
      </Section>
    </>
  );
}

/** Problems of the server, each with a link to where it is fixed. */
function Attention({ server }: { server: Detail }) {
  const { slug, tools_changed_count: changed, tools_held_count: held } = server;
  const missing = server.connection === null ? "No server URL is set." : "OAuth is not configured yet.";
  const tab = server.connection === null ? "settings" : "auth";
  const hasNoGroup = server.groups.length === 0;
  return (
    <div className="gh-notes">
      {server.needs_setup && (
        <Note tone="warn">
          {missing}{" "}
          <TextLink to="/mcp-servers/$slug" params={{ slug }} search={{ tab }} inherit>
            Finish setup
          </TextLink>
        </Note>
      )}
      <HealthNote server={server} />
      {server.oauth_change_pending && (
        <Note tone="warn">
          The server names another authorization server.{" "}
          <TextLink to="/mcp-servers/$slug" params={{ slug }} search={{ tab: "auth" }} inherit>
            Review settings
          </TextLink>
        </Note>
      )}
      {changed > 0 && (
        <Note tone="warn">
          {changed === 1 ? "1 definition is" : `${changed} definitions are`} new or changed
          {held > 0 ? `, ${held} held for review. ` : ". "}
          <TextLink to="/mcp-servers/$slug" params={{ slug }} search={{ tab: "tools" }} inherit>
            Review changes
          </TextLink>
        </Note>
      )}
      {isSyncing(server) && <FirstSync server={server} />}
      {isUnconnected(server) && (
        <Note tone="info">
          No user is connected, so no one can call its tools yet.{" "}
          <TextLink to="/mcp-servers/$slug" params={{ slug }} search={{ tab: "connections" }} inherit>
            View connections
          </TextLink>
        </Note>
      )}
      {hasNoGroup && (
        <Note tone="info">
          This server is not in any group, so no one can use it.{" "}
          <TextLink to="/mcp-servers/$slug" params={{ slug }} search={{ tab: "access" }} inherit>
            Add to a group
          </TextLink>
        </Note>
      )}
    </div>
  );
}

/** Added, but the first sync has not finished yet. */
function isSyncing({ connection, auth_type: authType, health }: Detail): boolean {
  return connection !== null && authType === "none" && health.status === "not_synced";
}

function isUnconnected(server: Detail): boolean {
  const { all_tools: tools, connections, groups } = server;
  return usersConnect(server) && tools.length > 0 && groups.length > 0 && connections.connected === 0;
}

const SYNC_POLL_MS = 1_500;

/** Refreshes the page until the result of the first sync is known. */
function FirstSync({ server: { slug } }: { server: Detail }) {
  useQuery({ ...serverQuery(useApi(), slug), refetchInterval: SYNC_POLL_MS });
  return (
    <Note tone="info">
      <span role="status">Syncing tools for the first time…</span>
    </Note>
  );
}

function HealthNote({ server: { slug, health, is_local_mcp: isLocal } }: { server: Detail }) {
  const { status, message, since, cause } = health;
  if (status !== "failing" && status !== "unreachable") return null;
  return (
    <Note tone="bad">
      {status === "failing" ? "Calls fail" : "Sync failed"}: {message}
      {since !== null && (
        <>
          {" "}
          (started <TimeAgo time={since} />)
        </>
      )}
      . {cause !== null && !isLocal && ADVICE[cause]}{" "}
      {status === "failing" && (
        <TextLink to="/logs" search={{ server: slug }} inherit>
          View failed calls
        </TextLink>
      )}
    </Note>
  );
}

const ADVICE: Readonly<Record<NonNullable<Detail["health"]["cause"]>, string>> = {
  dns: "Check the server URL in Settings.",
  refused: "Check that the server is running and that its URL is correct.",
  tls: "Renew the certificate of the server.",
  unauthorized: "Check the authentication of the server.",
  server_error: "Check the logs of the server.",
  timeout: "Check whether the server is overloaded, or increase the call timeout in Settings.",
  invalid_response: "Check that the URL is an MCP endpoint.",
  other: "",
};

const DAY_MS = 24 * 60 * 60 * 1000;
const MINUTE_MS = 60_000;

function LastDay({ server }: { server: Detail }) {
  const api = useApi();
  const [from] = useState(() => new Date(Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - DAY_MS).toISOString());
  const { data } = useQuery({
    queryKey: ["logs", "stats", server.slug, from],
    queryFn: ({ signal }) => api.getLogStats({ query: { server: server.slug, from, bucket: "hour", top: 0 }, signal }),
  });
  const totals = data?.data.totals;
  const p95 = totals?.duration_ms.p95;
  return (
    <Figures
      items={[
        { label: "Calls (24 h)", value: totals?.calls.toLocaleString("en") },
        { label: "Failed", value: totals && formatPercent(totals.errors, totals.calls) },
        { label: "Latency (p95)", value: totals && (p95 == null ? "–" : `${Math.round(p95)} ms`) },
        usersConnect(server)
          ? { label: "Connected users", value: connectedOf(server) }
          : { label: "Users with access", value: countedUsers(server.users_count) },
      ]}
    >
      {totals && totals.calls > 0 && (
        <Bars
          label="Calls per hour in the last 24 hours"
          values={data.data.series.map(({ calls, errors }) => ({ whole: calls, bad: errors }))}
        />
      )}
    </Figures>
  );
}

function factsOf(server: Detail): ReadonlyArray<readonly [string, React.ReactNode]> {
  const { connection } = server;
  return [
    ["Slug", <CopyText key="slug" value={server.slug} label="Copy slug" />],
    ["Server URL", connection && <CopyText value={connection.url} label="Copy server URL" />],
    ["Transport", connection && TRANSPORTS[connection.transport]],
    ["Health", <ServerHealth key="health" server={server} />],
    ["Authentication", authLabelOf(server)],
    ["Tools", `${server.tools_count} of ${server.all_tools.length} enabled`],
    ["Last sync", <TimeAgo key="read" time={server.tools_synced_at} />],
    [
      "Connector",
      server.connector_id === null ? undefined : <ConnectorLink key="made" connector={server.connector_id} />,
    ],
    ["Added", <TimeAgo key="added" time={server.created_at} />],
    ["Last updated", <TimeAgo key="changed" time={server.updated_at} />],
  ];
}

function ConnectorLink({ connector }: { connector: string }) {
  return (
    <TextLink to="/catalog" search={{ q: connector }} inherit>
      {connector}
    </TextLink>
  );
}

const TRANSPORTS: Readonly<Record<"http" | "sse" | "both" | "stdio", string>> = {
  http: "Streamable HTTP",
  sse: "SSE (2024-11-05)",
  both: "Streamable HTTP, then SSE",
  stdio: "Local process (stdio)",
};
