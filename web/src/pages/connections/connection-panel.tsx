import { Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useApi, useMe } from "../../api/context.tsx";
import { Contact } from "../../components/contact.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { Logo } from "../../components/logo.tsx";
import { Markdown } from "../../components/markdown.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { usersConnect } from "../mcp-servers/servers.ts";
import { connectionsKey, type MyServer, needsUser, openSignIn, STATES } from "./connections.ts";

/** Loaded when a server needs a key, because the list is the first page of members. */
const KeyForm = lazy(async () => ({ default: (await import("./key-form.tsx")).KeyForm }));

interface ConnectionPanelProps {
  /** Undefined: closed. */
  readonly server: MyServer | undefined;
  /** The machine user that an owner connects; undefined: the user themselves. */
  readonly of: string | undefined;
  onClose(): void;
}

/** A server and the user's connection to it, next to the list. */
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
        title="Status"
        actions={<StatusPill tone={STATES[connection.status].tone}>{STATES[connection.status].label}</StatusPill>}
      >
        <Stack gap="sm">
          {description !== "" && <Text size="sm">{description}</Text>}
          {connection.last_error !== null && (
            <Note tone="bad">
              {connection.last_error.replace(/\.$/, "")}. Reconnect. If that does not help, contact{" "}
              <Contact contact={organization.help_contact} />.
            </Note>
          )}
          {authType === "none" && (
            <Text size="sm">This server needs no connection. You can use its tools right away.</Text>
          )}
          {authType === "exchanged-token" && (
            <Text size="sm">This server receives the token of your application, so there is nothing to connect.</Text>
          )}
          {connection.connected_at !== null && (
            <KeyValues
              items={[
                ["Connected", <TimeAgo key="connected" time={connection.connected_at} />],
                ["Last used", <TimeAgo key="used" time={server.last_used_at} />],
              ]}
            />
          )}
          <TestResult test={test} contact={organization.help_contact} />
          <ErrorNote error={test.error ?? disconnect.error} />
          {usersConnect(server) && <Actions server={server} of={of} test={test} disconnect={disconnect} />}
        </Stack>
      </Section>
      {isKey && (
        <Section
          title={connection.connected_at === null ? "Your API key" : "Replace API key"}
          description="Stored encrypted, sent only to this server, and never shown again."
        >
          <Suspense fallback={<Skeleton height={96} />}>
            <KeyForm slug={server.slug} of={of} />
          </Suspense>
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
  const [isConfirming, { open: openConfirm, close: closeConfirm }] = useDisclosure(false);
  return (
    <Group gap="xs">
      {server.auth_type !== "proxy-api-key" && (
        <Button variant={needsUser(server) ? "filled" : "default"} onClick={() => openSignIn(server, of)}>
          {connection.connected_at === null ? "Connect account" : "Reconnect"}
        </Button>
      )}
      {connection.status === "connected" && (
        <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
          Test connection
        </Button>
      )}
      {connection.connected_at !== null && (
        <Button variant="default" color="red" onClick={openConfirm}>
          Disconnect
        </Button>
      )}
      <FormDialog opened={isConfirming} onClose={closeConfirm} title={`Disconnect ${server.name}?`}>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            disconnect.mutate(undefined, { onSettled: closeConfirm });
          }}
        >
          <Stack gap="md">
            <Text size="sm">
              Gatehouse deletes {of === undefined ? "your" : "its"} saved credential for {server.name}. MCP clients
              cannot call the server until {of === undefined ? "you connect" : "it is connected"} again.
            </Text>
            <DialogActions onCancel={closeConfirm} isWorking={disconnect.isPending} isDestructive>
              Disconnect
            </DialogActions>
          </Stack>
        </form>
      </FormDialog>
    </Group>
  );
}

function TestResult({ test, contact }: Pick<Changes, "test"> & { contact: string | null }) {
  if (!test.data) return null;
  const { verified, message = "The connection could not be tested" } = test.data.data;
  if (verified) return <Note tone="good">The connection works.</Note>;
  return (
    <Note tone="warn">
      {message.replace(/\.$/, "")}. If this continues, contact <Contact contact={contact} />.
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
