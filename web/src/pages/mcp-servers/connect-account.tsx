import { Button, Group, Loader, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi, useMe } from "../../api/context.tsx";
import { openPopup, usePopupOutcome } from "../../api/popup.ts";
import { CopyField } from "../../components/copy-field.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { TextLink } from "../../components/links.tsx";
import { Note } from "../../components/note.tsx";
import { Section } from "../../components/section.tsx";
import { connectionsKey, fetchMyServers } from "../connections/connections.ts";
import { KeyForm } from "../connections/key-form.tsx";
import { AUTH_WORDS, type Detail, serverQuery, serversKey, usersConnect } from "./servers.ts";

const POLL_MS = 3_000;

/** Whether the server has no tools only because no account was used to sync them yet. */
export function needsAccount(server: Detail): boolean {
  const { connection, all_tools: tools, needs_setup: needsSetup } = server;
  return usersConnect(server) && connection !== null && !needsSetup && tools.length === 0;
}

/** The next step after the setup of a server with per-user authentication. Waits for its tools. */
export function ConnectAccount({ server }: { server: Detail }) {
  const api = useApi();
  const { base_url: baseUrl } = useMe();
  const queries = useQueryClient();
  const { slug, name, connections } = server;
  useQuery({ ...serverQuery(api, slug), refetchInterval: POLL_MS, refetchOnWindowFocus: "always" });
  const { data: mine } = useQuery({
    queryKey: [...connectionsKey, "mine"],
    queryFn: ({ signal }) => fetchMyServers(api, undefined, signal),
  });
  usePopupOutcome(() => {
    void queries.invalidateQueries({ queryKey: serversKey });
    void queries.invalidateQueries({ queryKey: connectionsKey });
  });
  const hasAccess = mine?.some((each) => each.slug === slug);
  return (
    <Section
      title="Connect your account to load its tools"
      description={`${name} uses “${AUTH_WORDS[server.auth_type]}”. It has 0 tools because they are loaded with the account of the first user who connects.`}
    >
      {connections.connected > 0 ? (
        <Group gap="xs" role="status">
          <Loader size="xs" />
          <Text size="sm">An account is connected. Loading tools…</Text>
        </Group>
      ) : (
        <>
          {hasAccess === false && <NoAccess server={server} />}
          {hasAccess && <ConnectButton server={server} />}
        </>
      )}
      <Text size="sm" c="dimmed" mt="md" mb={4}>
        Or send the connect link to a user with access:
      </Text>
      <CopyField value={`${baseUrl}/connect/${slug}`} label="connect link" />
    </Section>
  );
}

function NoAccess({ server: { slug } }: { server: Detail }) {
  return (
    <Note tone="info">
      Your groups do not include this server, so you cannot connect to it yet.{" "}
      <TextLink to="/mcp-servers/$slug" params={{ slug }} search={{ tab: "access" }} inherit>
        Add it to one of your groups
      </TextLink>
    </Note>
  );
}

function ConnectButton({ server: { slug, name, auth_type: authType } }: { server: Detail }) {
  const [isOpen, dialog] = useDisclosure();
  if (authType === "proxy-oauth") {
    const path = `/connect/${encodeURIComponent(slug)}/start`;
    return <Button onClick={() => openPopup({ popup: `${path}?view=popup`, here: path })}>Connect account</Button>;
  }
  return (
    <>
      <Button onClick={dialog.open}>Connect account</Button>
      <FormDialog opened={isOpen} onClose={dialog.close} title={`Connect your ${name} account`}>
        <KeyForm slug={slug} of={undefined} />
      </FormDialog>
    </>
  );
}
