import { IconPlugConnected, IconX } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { Logo } from "../../components/logo.tsx";
import { Note, type Tone } from "../../components/note.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { AUTH_WORDS } from "../mcp-servers/servers.ts";
import { ConnectUser, useCanConnect } from "./connect-user.tsx";
import { type User, usersKey } from "./users.ts";
import "./users.css";

type AccessibleServer = Schemas["UserMcpServer"];

/** A user's connection to each server they can access. */
export function UserConnections({ user }: { user: User }) {
  const { data: me } = useMe();
  const canRead = ["all", "connect:read", "connect:write"].some((scope) => me.scopes.includes(scope));
  if (!canRead) return <Note>Your role cannot view connections of other users.</Note>;
  return <Connections user={user} />;
}

function Connections({ user }: { user: User }) {
  const api = useApi();
  const { changes } = useRights();
  const canConnect = useCanConnect();
  const [ending, setEnding] = useState<AccessibleServer | null>(null);
  const list = usePages([...usersKey, "connections", user.email], (cursor, signal) =>
    api.listUserMcpServers({ query: { email: user.email, cursor, limit: 100 }, signal }),
  );
  const disconnect = (server: AccessibleServer) =>
    hasConnection(server) && (
      <RowAction icon={IconX} label={`Disconnect ${server.name}`} onClick={() => setEnding(server)} />
    );
  return (
    <>
      <DataTable
        label="Connections"
        list={list}
        columns={columnsFor(user, changes && canConnect)}
        rowKey={({ slug }) => slug}
        rowLink={({ slug }) => ({ to: "/mcp-servers/$slug", params: { slug } })}
        {...(changes ? { rowMenu: disconnect } : {})}
        empty={
          <EmptyState icon={IconPlugConnected} title="No servers">
            {user.disabled
              ? "A disabled user has no access."
              : "This user has access to no servers. Add the user to a group that has servers."}
          </EmptyState>
        }
      />
      <Disconnect user={user} server={ending} onClose={() => setEnding(null)} />
    </>
  );
}

function Disconnect({ user, server, onClose }: { user: User; server: AccessibleServer | null; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const end = useMutation({
    mutationFn: (mcp: string) => api.deleteUserConnection({ query: { email: user.email, mcp } }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: usersKey });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      opened={server !== null}
      title={`Disconnect ${user.name} from ${server?.name ?? ""}?`}
      action="Disconnect"
      isDestructive
      isWorking={end.isPending}
      error={end.error}
      onConfirm={() => server && end.mutate(server.slug)}
      onClose={onClose}
    >
      The stored token or API key for this server is deleted. To call its tools again, the user must reconnect.
    </ConfirmDialog>
  );
}

function hasConnection({ connection }: AccessibleServer): boolean {
  return connection.connected_at !== null;
}

const STATUSES: Readonly<Record<AccessibleServer["connection"]["status"], readonly [tone: Tone, label: string]>> = {
  connected: ["good", "Connected"],
  reconnect_needed: ["warn", "Needs reconnection"],
  not_connected: ["quiet", "Not connected"],
  not_required: ["quiet", "Not required"],
};

function columnsFor(user: User, canConnect: boolean): ReadonlyArray<Column<AccessibleServer>> {
  return [
    {
      key: "server",
      header: "Server",
      render: ({ name, slug, logo_url: logoUrl }) => (
        <>
          <Logo url={logoUrl} />
          <span className="gh-two-lines">
            <span className="gh-truncate">{name}</span>
            <code className="gh-truncate">{slug}</code>
          </span>
        </>
      ),
    },
    {
      key: "status",
      header: "Connection",
      width: "17rem",
      narrowWidth: "9.5rem",
      render: (server) => <ConnectionStatus user={user} server={server} canConnect={canConnect} />,
    },
    {
      key: "auth",
      header: "Authentication",
      width: "9rem",
      hideBelow: "sm",
      render: ({ auth_type: type }) => AUTH_WORDS[type],
    },
    {
      key: "since",
      header: "Connected",
      width: "8rem",
      hideBelow: "md",
      render: ({ connection: { connected_at: time } }) => <TimeAgo time={time} never="–" />,
    },
    {
      key: "problem",
      header: "Problem",
      hideBelow: "lg",
      render: ({ connection: { last_error: problem } }) => <span className="gh-dim">{problem ?? "–"}</span>,
    },
  ];
}

interface ConnectionStatusProps {
  readonly user: User;
  readonly server: AccessibleServer;
  readonly canConnect: boolean;
}

/** The status and, if a connection is missing, the button that creates it. */
function ConnectionStatus({ user, server, canConnect }: ConnectionStatusProps) {
  const { status } = server.connection;
  const [tone, label] = STATUSES[status];
  const isMissing = status === "not_connected" || status === "reconnect_needed";
  return (
    <span className="gh-connection-status">
      <StatusPill tone={tone}>{label}</StatusPill>
      {canConnect && isMissing && (
        <ConnectUser user={user} server={server} isReconnect={status === "reconnect_needed"} />
      )}
    </span>
  );
}
