import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { allRows, type Column, DataTable, type TableRows } from "../../components/data-table.tsx";
import { RowAction } from "../../components/row-action.tsx";
import { Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { browserName } from "./browser-name.ts";
import { useCanManage } from "./can-manage.ts";
import { SESSION_COLUMNS, type Session } from "./session-columns.tsx";
import { type User, usersKey } from "./users.ts";

type Client = Schemas["ConnectedClient"];

/** A user's web sessions and connected MCP clients. */
export function UserSessions({ user }: { user: User }) {
  return (
    <>
      <Sessions user={user} />
      <Clients user={user} />
    </>
  );
}

function Sessions({ user: { email, name, role } }: { user: User }) {
  const api = useApi();
  const { canManage } = useCanManage({ role });
  const list = useFullList([...usersKey, "sessions", email], (signal) =>
    api.listUserSessions({ query: { email }, signal }),
  );
  const end = useEnd((id: string | undefined) => api.endUserSessions({ query: { email, id } }));
  const everywhere = { id: undefined, title: `Sign out ${name} everywhere?` };
  return (
    <Section
      title="Web sessions"
      actions={
        canManage &&
        list.rows.length > 1 && (
          <Button variant="default" size="compact-sm" onClick={() => end.ask(everywhere)}>
            Sign out everywhere
          </Button>
        )
      }
    >
      <DataTable
        label="Web sessions"
        list={list}
        columns={SESSION_COLUMNS}
        rowKey={({ id }) => id}
        {...(canManage
          ? {
              rowMenu: ({ id, user_agent: agent }: Session) => (
                <RowAction
                  icon={IconX}
                  label={`Sign out ${browserName(agent)}`}
                  onClick={() => end.ask({ id, title: `Sign out ${name} from ${browserName(agent)}?` })}
                />
              ),
            }
          : {})}
        empty={<span className="gh-dim">Not signed in.</span>}
      />
      <ConfirmDialog action="Sign out" isDestructive {...end.dialog}>
        {end.asked?.id === undefined
          ? "Ends all web sessions and disconnects all MCP clients. The user can sign in again."
          : "Ends this web session. The user can sign in again."}
      </ConfirmDialog>
    </Section>
  );
}

function Clients({ user: { email, name: userName, role } }: { user: User }) {
  const api = useApi();
  const { canManage } = useCanManage({ role });
  const list = useFullList([...usersKey, "clients", email], (signal) =>
    api.listUserClients({ query: { email }, signal }),
  );
  const end = useEnd((id: string) => api.endUserClient({ query: { email, id } }));
  return (
    <Section title="Connected MCP clients" description="MCP clients that can call tools as this user.">
      <DataTable
        label="Connected MCP clients"
        list={list}
        columns={CLIENT_COLUMNS}
        rowKey={({ id }) => id}
        {...(canManage
          ? {
              rowMenu: ({ id, client_name: name }: Client) => (
                <RowAction
                  icon={IconX}
                  label={`Disconnect ${name}`}
                  onClick={() => end.ask({ id, title: `Disconnect ${name}?` })}
                />
              ),
            }
          : {})}
        empty={<span className="gh-dim">No connected clients.</span>}
      />
      <ConfirmDialog action="Disconnect" isDestructive {...end.dialog}>
        The client can no longer call tools as {userName}, until they connect it again.
      </ConfirmDialog>
    </Section>
  );
}

/** A list without pages. */
function useFullList<Row>(
  queryKey: readonly unknown[],
  fetchRows: (signal: AbortSignal) => Promise<{ readonly data: readonly Row[] }>,
): TableRows<Row> {
  const { data, isPending, error, refetch } = useQuery({ queryKey, queryFn: ({ signal }) => fetchRows(signal) });
  return { ...allRows(data?.data ?? []), isPending, error, retry: () => void refetch() };
}

interface Ending<Id> {
  readonly id: Id;
  /** The question of the dialog. */
  readonly title: string;
}

/** Ends a session or client after a confirmation. */
function useEnd<Id>(end: (id: Id) => Promise<unknown>) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<Ending<Id> | null>(null);
  const mutation = useMutation({
    mutationFn: end,
    onSuccess: () => {
      setAsked(null);
      return queries.invalidateQueries({ queryKey: usersKey });
    },
  });
  const dialog = {
    opened: asked !== null,
    title: asked?.title ?? "",
    isWorking: mutation.isPending,
    error: mutation.error,
    onConfirm: () => asked && mutation.mutate(asked.id),
    onClose: () => setAsked(null),
  };
  return { asked, ask: setAsked, dialog };
}

const CLIENT_COLUMNS: ReadonlyArray<Column<Client>> = [
  {
    key: "client",
    header: "Client",
    render: ({ client_name: name, redirect_uri: uri }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">{uri}</span>
      </span>
    ),
  },
  {
    key: "access",
    header: "Access",
    width: "11rem",
    hideBelow: "sm",
    render: ({ server_slug: slug }) => (slug === null ? "All servers" : <code>{slug}</code>),
  },
  {
    key: "since",
    header: "Connected",
    width: "8rem",
    hideBelow: "md",
    render: ({ connected_at: time }) => <TimeAgo time={time} />,
  },
  { key: "used", header: "Last used", width: "8rem", render: ({ last_used_at: time }) => <TimeAgo time={time} /> },
];
