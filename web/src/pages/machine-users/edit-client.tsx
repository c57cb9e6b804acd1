import { Button, Group as Row, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type User, usersKey } from "../users/users.ts";
import { CLIENT_DESCRIPTION, ClientFields, NO_CLIENT, type TypedClient, trimmed } from "./client-fields.tsx";

/** D24: the OAuth client of a machine user. The client secret is never shown. */
export function EditClient({ user }: { user: User }) {
  const { changes } = useRights();
  const [isEditing, editing] = useDisclosure();
  const [isRemoving, removing] = useDisclosure();
  const client = user.client_credentials ?? null;
  const edit = (
    <Button variant="default" size="compact-sm" onClick={editing.open}>
      {client === null ? "Add OAuth client" : "Edit"}
    </Button>
  );
  const remove = client !== null && (
    <Button variant="default" size="compact-sm" onClick={removing.open}>
      Remove…
    </Button>
  );
  return (
    <Section
      title="OAuth client"
      description={client === null ? `Not configured. ${CLIENT_DESCRIPTION}` : CLIENT_DESCRIPTION}
      actions={
        changes && (
          <Row gap="xs">
            {remove}
            {edit}
          </Row>
        )
      }
    >
      {client !== null && (
        <KeyValues
          items={[
            ["Client ID", <code key="id">{client.client_id}</code>],
            ["Client secret", "Stored encrypted"],
            ["Token URL", <code key="url">{client.token_url}</code>],
          ]}
        />
      )}
      <FormDialog
        opened={isEditing}
        onClose={editing.close}
        title={`OAuth client of ${user.name}`}
        size="lg"
        closeOnClickOutside={false}
      >
        {isEditing && <ClientForm user={user} onClose={editing.close} />}
      </FormDialog>
      <RemoveClient user={user} opened={isRemoving} onClose={removing.close} />
    </Section>
  );
}

function useChangeClient({ email }: User) {
  const api = useApi();
  const queries = useQueryClient();
  return async (client: TypedClient | null) => {
    await api.setClientCredentials({ query: { email }, body: { client_credentials: client } });
    await queries.invalidateQueries({ queryKey: usersKey });
  };
}

function ClientForm({ user, onClose }: { user: User; onClose: () => void }) {
  const change = useChangeClient(user);
  const { client_credentials: before } = user;
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { ...NO_CLIENT, clientId: before?.client_id ?? "", tokenUrl: before?.token_url ?? "" },
    fieldOf: (field) => field.replace("client_credentials.", ""),
    submit: async (typed) => {
      await change(trimmed(typed));
      notifyDone();
      onClose();
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <ClientFields inputProps={(field) => form.getInputProps(field)}>
          {before
            ? "Saving deletes the tokens of the current client. The next call requests a token with the new one."
            : CLIENT_DESCRIPTION}
        </ClientFields>
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Save client
        </DialogActions>
      </Stack>
    </form>
  );
}

function RemoveClient({ user, opened, onClose }: { user: User; opened: boolean; onClose: () => void }) {
  const change = useChangeClient(user);
  const remove = useMutation({ mutationFn: () => change(null), onSuccess: onClose });
  return (
    <ConfirmByName
      opened={opened}
      title={`Remove the OAuth client of ${user.name}?`}
      name={user.slug ?? ""}
      action="Remove client"
      isWorking={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Its tokens and the client secret are deleted. An owner must then connect its account for servers with OAuth per
      user.
    </ConfirmByName>
  );
}
