import { IconPlugConnectedX, IconUserCheck } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { usePages } from "../../api/pages.ts";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { type Column, DataTable } from "../../components/data-table.tsx";
import { EmptyState } from "../../components/empty-state.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type Detail, serversKey, usersConnect } from "./servers.ts";

type Connection = Schemas["ServerConnection"];

export function ServerConnections({ server }: { server: Detail }) {
  const api = useApi();
  const { changes } = useRights();
  const [disconnecting, setDisconnecting] = useState<string>();
  const list = usePages([...serversKey, "connections", server.slug], (skip, signal) =>
    api.listMcpServerConnections({ path: { slug: server.slug }, query: { skip, limit: 100 }, signal }),
  );
  const action = ({ user_email: email }: Connection) => (
    <RowAction icon={IconPlugConnectedX} label={`Disconnect ${email}`} onClick={() => setDisconnecting(email)} />
  );
  return (
    <>
      <DataTable
        label="Connections"
        list={list}
        columns={COLUMNS}
        rowKey={({ user_email: email }) => email}
        {...(changes ? { rowMenu: action } : {})}
        empty={
          <EmptyState
            icon={IconUserCheck}
            title={usersConnect(server) ? "No connected users" : "No connection required"}
          >
            {EMPTY[server.auth_type]}
          </EmptyState>
        }
      />
      <Disconnect server={server} email={disconnecting} onClose={() => setDisconnecting(undefined)} />
    </>
  );
}

const USERS_CONNECT = "Users connect on their Connections page or with the connect link that their first call returns.";
const EMPTY = {
  none: "This server does not require authentication. All members of its groups can call it.",
  "proxy-oauth": USERS_CONNECT,
  "proxy-api-key": USERS_CONNECT,
  "exchanged-token": "Calls carry the token that the user exchanged, so there is nothing to connect.",
} as const;

const COLUMNS: ReadonlyArray<Column<Connection>> = [
  { key: "user", header: "User", render: ({ user_email: email }) => email },
  {
    key: "status",
    header: "Status",
    width: "9.5rem",
    render: ({ status, last_error: lastError }) => (
      <span title={lastError ?? undefined}>
        {status === "connected" ? (
          <StatusPill tone="good">Connected</StatusPill>
        ) : (
          <StatusPill tone="warn">Needs reconnection</StatusPill>
        )}
      </span>
    ),
  },
  {
    key: "kind",
    header: "Method",
    width: "8rem",
    hideBelow: "sm",
    render: ({ kind }) => (kind === "oauth" ? "OAuth" : "API key"),
  },
  {
    key: "since",
    header: "Connected",
    width: "9rem",
    hideBelow: "sm",
    render: ({ connected_at: at }) => <TimeAgo time={at} />,
  },
  {
    key: "expires",
    header: "Expires",
    width: "9rem",
    hideBelow: "md",
    render: ({ expires_at: at }) => <TimeAgo time={at} never="Unknown" />,
  },
];

interface DisconnectProps {
  readonly server: Detail;
  readonly email: string | undefined;
  onClose(): void;
}

function Disconnect({ server: { slug, name }, email = "", onClose }: DisconnectProps) {
  const api = useApi();
  const queries = useQueryClient();
  const disconnect = useMutation({
    mutationFn: () => api.deleteMcpServerConnection({ path: { slug }, query: { email } }),
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: serversKey });
    },
  });
  return (
    <ConfirmByName
      opened={email !== ""}
      title={`Disconnect ${email} from ${name}?`}
      name={email}
      action="Disconnect"
      isWorking={disconnect.isPending}
      error={disconnect.error}
      onConfirm={() => disconnect.mutate()}
      onClose={onClose}
    >
      Their credential for {name} is deleted immediately. Their next call returns a connect link.
    </ConfirmByName>
  );
}
