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
import { type Detail, serversKey } from "./servers.ts";

type Connection = Schemas["ServerConnection"];

export function ServerConnections({ server }: { server: Detail }) {
  const api = useApi();
  const { changes } = useRights();
  const [leaving, setLeaving] = useState<string>();
  const list = usePages([...serversKey, "connections", server.slug], (skip, signal) =>
    api.listMcpServerConnections({ path: { slug: server.slug }, query: { skip, limit: 100 }, signal }),
  );
  const action = ({ user_email: email }: Connection) => (
    <RowAction icon={IconPlugConnectedX} label={`Disconnect ${email}`} onClick={() => setLeaving(email)} />
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
            title={server.auth_type === "none" ? "Nobody needs to connect" : "Nobody is connected yet"}
          >
            {server.auth_type === "none"
              ? "This server asks nothing of its users: whoever is in its groups calls it."
              : "People connect on their connections page, or by the link that a first call answers with."}
          </EmptyState>
        }
      />
      <Disconnect server={server} email={leaving} onClose={() => setLeaving(undefined)} />
    </>
  );
}

const COLUMNS: ReadonlyArray<Column<Connection>> = [
  { key: "user", header: "User", render: ({ user_email: email }) => email },
  {
    key: "status",
    header: "State",
    width: "9.5rem",
    render: ({ status, last_error: lastError }) => (
      <span title={lastError ?? undefined}>
        {status === "connected" ? (
          <StatusPill tone="good">Connected</StatusPill>
        ) : (
          <StatusPill tone="warn">Must connect again</StatusPill>
        )}
      </span>
    ),
  },
  {
    key: "kind",
    header: "By",
    width: "8rem",
    hideBelow: "sm",
    render: ({ kind }) => (kind === "oauth" ? "OAuth sign-in" : "API key"),
  },
  {
    key: "since",
    header: "Since",
    width: "9rem",
    hideBelow: "sm",
    render: ({ connected_at: at }) => <TimeAgo time={at} />,
  },
  {
    key: "expires",
    header: "Ends",
    width: "9rem",
    hideBelow: "md",
    render: ({ expires_at: at }) => <TimeAgo time={at} never="Not known" />,
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
  const end = useMutation({
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
      isWorking={end.isPending}
      error={end.error}
      onConfirm={() => end.mutate()}
      onClose={onClose}
    >
      Their credential for {name} is forgotten at once. Their next call is answered with a link by which they connect
      anew.
    </ConfirmByName>
  );
}
