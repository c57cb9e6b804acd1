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

/** The MCP clients that the user signed in with. */
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
      title="MCP clients"
      description="MCP clients that you signed in with. They call tools as you. Disconnect the ones you no longer use."
    >
      <ErrorNote error={end.error} />
      <DataTable label="MCP clients" list={list} columns={columns} rowKey={({ id }) => id} empty={<NoClients />} />
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
        <span className="gh-truncate">redirects to {URL.parse(address)?.host ?? address}</span>
      </span>
    ),
  },
  {
    key: "server",
    header: "Access",
    hideBelow: "md",
    render: ({ server_slug: slug }) => (slug === null ? "All your servers" : <code>{slug}</code>),
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
    header: "Connected",
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
      with the gateway URL.
    </Text>
  );
}
