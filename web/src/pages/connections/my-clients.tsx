import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { allRows, type Column, DataTable } from "../../components/data-table.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { TextLink } from "../../components/links.tsx";
import { Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";

type ConnectedClient = Schemas["ConnectedClient"];

const clientsKey = ["my-clients"] as const;

/** The MCP clients that act in my name: Claude, Cursor and others that I signed in with. */
export function MyClients() {
  const api = useApi();
  const queries = useQueryClient();
  const query = useQuery({
    queryKey: clientsKey,
    queryFn: async ({ signal }) => (await api.listMyClients({ signal })).data,
  });
  const end = useMutation({
    mutationFn: (id: string) => api.endMyClient({ query: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: clientsKey }),
  });
  const list = {
    ...allRows(query.data ?? []),
    isPending: query.isPending,
    error: query.error,
    retry: () => void query.refetch(),
  };
  const columns: ReadonlyArray<Column<ConnectedClient>> = [
    ...COLUMNS,
    {
      key: "end",
      header: "",
      width: "8rem",
      align: "right",
      render: ({ id, client_name: name }) => (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={`Disconnect ${name}`}
          loading={end.isPending && end.variables === id}
          onClick={() => end.mutate(id)}
        >
          Disconnect
        </Button>
      ),
    },
  ];
  return (
    <Section
      title="Your clients"
      description="Programs that you signed in with and that call tools in your name. Disconnect what you no longer use; signing in again brings it back."
    >
      <ErrorNote error={end.error} />
      <DataTable label="Your clients" list={list} columns={columns} rowKey={({ id }) => id} empty={<NoClients />} />
    </Section>
  );
}

const COLUMNS: ReadonlyArray<Column<ConnectedClient>> = [
  {
    key: "name",
    header: "Client",
    render: ({ client_name: name, redirect_uri: address }) => (
      <span className="gh-two-lines">
        <span className="gh-truncate">{name}</span>
        <span className="gh-truncate">returns to {URL.parse(address)?.host ?? address}</span>
      </span>
    ),
  },
  {
    key: "server",
    header: "May use",
    hideBelow: "md",
    render: ({ server_slug: slug }) => (slug === null ? "All that you may" : <code>{slug}</code>),
  },
  {
    key: "used",
    header: "Last used",
    width: "8rem",
    hideBelow: "sm",
    render: ({ last_used_at: time }) => <TimeAgo time={time} />,
  },
  {
    key: "since",
    header: "Since",
    width: "8rem",
    hideBelow: "sm",
    render: ({ connected_at: time }) => <TimeAgo time={time} />,
  },
];

function NoClients() {
  return (
    <Text size="sm" c="dimmed">
      None yet.{" "}
      <TextLink to="/setup" underline="always">
        Connect a client
      </TextLink>{" "}
      with your gateway's address.
    </Text>
  );
}
