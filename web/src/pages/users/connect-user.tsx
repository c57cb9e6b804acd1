import { Button, Group, Modal, PasswordInput, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconExternalLink } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi, useMe } from "../../api/context.tsx";
import { usePopupOutcome } from "../../api/popup.ts";
import { CopyField } from "../../components/copy-field.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone, notifyFailure } from "../../components/notify.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { accessKey } from "../access/access.ts";
import { type User, usersKey } from "./users.ts";

export interface ConnectTarget {
  readonly user: Pick<User, "email" | "name" | "is_machine_user">;
  readonly server: Pick<Schemas["UserMcpServer"], "slug" | "name" | "auth_type">;
}

/** Admins and owners can connect on behalf of others. Auditors cannot. */
export function useCanConnect(): boolean {
  const { scopes } = useMe().data;
  return scopes.includes("all") || scopes.includes("connect:write");
}

interface ConnectUserProps extends ConnectTarget {
  readonly isReconnect: boolean;
}

/** Connects a user or machine user to a server: with a connect link for OAuth, or with an API key. */
export function ConnectUser({ isReconnect, ...target }: ConnectUserProps) {
  const { user, server } = target;
  const [isEntering, entering] = useDisclosure();
  const link = useConnectLink(target);
  const usesKey = server.auth_type === "proxy-api-key";
  const label = usesKey ? "Enter API key" : isReconnect ? "Reconnect" : "Connect account";
  return (
    <>
      <Button
        size="compact-sm"
        className="gh-above-row"
        aria-label={`${label} for ${user.name} on ${server.name}`}
        loading={link.isPending}
        onClick={() => (usesKey ? entering.open() : link.mutate())}
      >
        {label}
      </Button>
      <ConnectLink target={target} url={link.data} onClose={link.reset} />
      <FormDialog opened={isEntering} onClose={entering.close} title={`API key of ${user.name} for ${server.name}`}>
        {isEntering && <KeyForm {...target} onClose={entering.close} />}
      </FormDialog>
    </>
  );
}

function useConnectLink({ user: { email }, server: { slug: mcp } }: ConnectTarget) {
  const api = useApi();
  return useMutation({
    mutationFn: async () => (await api.getUserAuthUrl({ query: { email, mcp } })).data.url,
    onError: notifyFailure,
    // The link is a credential.
    gcTime: 0,
  });
}

function useRefresh() {
  const queries = useQueryClient();
  return () => Promise.all([usersKey, accessKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
}

interface ConnectLinkProps {
  readonly target: ConnectTarget;
  readonly url: string | undefined;
  onClose(): void;
}

function ConnectLink({ target: { user, server }, url, onClose }: ConnectLinkProps) {
  const refresh = useRefresh();
  usePopupOutcome((outcome) => {
    if (url === undefined || outcome !== "connected") return;
    notifyDone(`Connected ${user.name} to ${server.name}`);
    onClose();
    void refresh();
  });
  const close = () => {
    onClose();
    void refresh();
  };
  return (
    <Modal opened={url !== undefined} onClose={close} title={`Connect link for ${user.name}`}>
      {url !== undefined && (
        <Stack gap="md">
          <Text size="sm">
            {user.is_machine_user
              ? `Open this link and sign in to ${server.name} with the account that ${user.name} should use.`
              : `Send this link to ${user.name}. It opens the sign-in page of ${server.name}, where they connect their own account.`}
          </Text>
          <CopyField value={url} label="connect link" />
          <Text size="sm" c="dimmed">
            The link works once and expires in 10 minutes. Anyone who opens it connects their account for {user.name}.
          </Text>
          <Group justify="flex-end" gap="xs">
            {user.is_machine_user && (
              <Button
                component="a"
                href={url}
                target="_blank"
                rel="opener"
                variant="default"
                leftSection={<IconExternalLink size={15} />}
              >
                Open link
              </Button>
            )}
            <Button onClick={close}>Done</Button>
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

function KeyForm({ user, server, onClose }: ConnectTarget & { onClose(): void }) {
  const api = useApi();
  const refresh = useRefresh();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { key: "" },
    validate: ({ key }): { key?: string } => (key.trim() === "" ? { key: "Enter an API key" } : {}),
    submit: async ({ key }) => {
      const query = { email: user.email, mcp: server.slug };
      const { data } = await api.setUserApiKey({ query, body: { key: key.trim() } });
      notifyDone(data.message ?? `Connected ${user.name} to ${server.name}`);
      onClose();
      await refresh();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <PasswordInput
          label="API key"
          description={`Sent to ${server.name} to test it, then stored encrypted. It cannot be viewed again.`}
          autoComplete="off"
          spellCheck={false}
          data-1p-ignore
          data-autofocus
          {...form.getInputProps("key")}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Test and save
        </DialogActions>
      </Stack>
    </form>
  );
}
