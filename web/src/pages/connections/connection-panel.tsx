import { Button, Drawer, Group, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { Contact } from "../../components/contact.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Logo } from "../../components/logo.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { connectionsKey, isWaiting, type MyServer, STATES, signInElsewhere } from "./connections.ts";
import { KeyForm } from "./key-form.tsx";

interface ConnectionPanelProps {
  /** Undefined: closed. */
  readonly server: MyServer | undefined;
  /** The machine user for which somebody connects; undefined: for themselves. */
  readonly of: string | undefined;
  onClose(): void;
}

/** One server and how I stand with it, beside the list. */
export function ConnectionPanel({ server, of, onClose }: ConnectionPanelProps) {
  return (
    <Drawer
      opened={server !== undefined}
      onClose={onClose}
      title={
        server && (
          <Group gap="xs" wrap="nowrap">
            <Logo url={server.logo_url} />
            {server.name}
          </Group>
        )
      }
    >
      {server && <Panel key={server.slug} server={server} of={of} />}
    </Drawer>
  );
}

function Panel({ server, of }: { server: MyServer; of: string | undefined }) {
  const { connection, auth_type: authType, description } = server;
  const { organization } = useMe();
  const { test, disconnect } = useConnectionChanges(server, of);
  const isKey = authType === "proxy-api-key";
  return (
    <>
      <Section
        title="State"
        actions={<StatusPill tone={STATES[connection.status].tone}>{STATES[connection.status].label}</StatusPill>}
      >
        <Stack gap="sm">
          {description !== "" && <Text size="sm">{description}</Text>}
          {connection.last_error !== null && (
            <Note tone="bad">
              {connection.last_error.replace(/\.$/, "")}. Connect again; if that does not help, show this to{" "}
              <Contact contact={organization.help_contact} />.
            </Note>
          )}
          {authType === "none" && (
            <Text size="sm">This server asks nobody who they are: its tools work as they are.</Text>
          )}
          {connection.connected_at !== null && (
            <KeyValues
              items={[
                ["Connected", <TimeAgo key="connected" time={connection.connected_at} />],
                [
                  "Valid until",
                  connection.expires_at === null ? undefined : <TimeAgo key="until" time={connection.expires_at} />,
                ],
                ["Last used", <TimeAgo key="used" time={server.last_used_at} />],
              ]}
            />
          )}
          <Told test={test} contact={organization.help_contact} />
          <ErrorNote error={test.error ?? disconnect.error} />
          {authType !== "none" && <Actions server={server} of={of} test={test} disconnect={disconnect} />}
        </Stack>
      </Section>
      {isKey && (
        <Section
          title={connection.connected_at === null ? "Your key" : "Another key"}
          description="It is sealed, goes to this server alone, and is shown to nobody again."
        >
          <KeyForm slug={server.slug} of={of} />
        </Section>
      )}
      {server.how_to !== null && (
        <Section title={isKey ? "How to get a key" : "How to connect"}>
          <Markdown text={server.how_to} />
        </Section>
      )}
    </>
  );
}

type Changes = ReturnType<typeof useConnectionChanges>;

function Actions({ server, of, test, disconnect }: Changes & { server: MyServer; of: string | undefined }) {
  const { connection } = server;
  return (
    <Group gap="xs">
      {server.auth_type !== "proxy-api-key" && (
        <Button variant={isWaiting(server) ? "filled" : "default"} onClick={() => signInElsewhere(server, of)}>
          {connection.connected_at === null ? "Connect" : "Connect again"}
        </Button>
      )}
      {connection.status === "connected" && (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Test connection
        </Button>
      )}
      {connection.connected_at !== null && (
        <Button variant="default" color="red" loading={disconnect.isPending} onClick={() => disconnect.mutate()}>
          Disconnect
        </Button>
      )}
    </Group>
  );
}

function Told({ test, contact }: Pick<Changes, "test"> & { contact: string | null }) {
  if (!test.data) return null;
  const { verified, message = "The server could not be asked" } = test.data.data;
  if (verified) return <Note tone="good">The server took your credential.</Note>;
  return (
    <Note tone="warn">
      {message.replace(/\.$/, "")}. If it stays like this, ask <Contact contact={contact} />.
    </Note>
  );
}

function useConnectionChanges({ slug: mcp }: MyServer, of: string | undefined) {
  const api = useApi();
  const queries = useQueryClient();
  const onSettled = () => queries.invalidateQueries({ queryKey: connectionsKey });
  const query = { mcp, for: of };
  const test = useMutation({ mutationFn: () => api.testMyConnection({ query }), onSettled });
  const disconnect = useMutation({
    mutationFn: () => api.deleteMyConnection({ query }),
    onMutate: () => test.reset(),
    onSettled,
  });
  return { test, disconnect };
}
