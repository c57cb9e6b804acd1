import { Button, Collapse, Group as Row, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useMe } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { groupsKey } from "../groups/groups.ts";
import { joinGroups } from "../groups/membership.ts";
import { PickGroups } from "../groups/pick-groups.tsx";
import { PickUsers } from "../users/pick-users.tsx";
import { usersKey } from "../users/users.ts";
import { CLIENT_DESCRIPTION, ClientFields, NO_CLIENT, type TypedClient, trimmed } from "./client-fields.tsx";
import type { IssuedKey } from "./new-access-key.tsx";

interface CreateDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onIssued(key: IssuedKey): void;
}

export function CreateMachineUserDialog({ opened, ...rest }: CreateDialogProps) {
  return (
    <FormDialog
      opened={opened}
      onClose={rest.onClose}
      title="Create machine user"
      size="lg"
      closeOnClickOutside={false}
    >
      {opened && <CreateForm {...rest} />}
    </FormDialog>
  );
}

const INITIAL = { name: "", slug: "", ...NO_CLIENT };

function CreateForm({ onClose, onIssued }: Omit<CreateDialogProps, "opened">) {
  const api = useApi();
  const queries = useQueryClient();
  const { data: me } = useMe();
  const [hasMore, more] = useDisclosure();
  const [owners, setOwners] = useState<readonly Pickable[]>([{ value: me.id, label: me.name }]);
  const [groups, setGroups] = useState<readonly Pickable[]>([]);
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: INITIAL,
    fieldOf: (field) => field.replace("client_credentials.", ""),
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async (values) => {
      const { data, credentials } = await api.createUser({
        body: {
          is_machine_user: true,
          name: values.name.trim(),
          owner_ids: owners.map(({ value }) => value),
          ...(values.slug.trim() === "" ? {} : { slug: values.slug.trim() }),
          ...clientCredentials(values),
        },
      });
      await joinGroups(api, data.email, groups);
      if (credentials) onIssued({ name: data.name, slug: data.slug ?? "", credentials });
      await Promise.all([usersKey, groupsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
    },
  });
  const showsMore = hasMore || form.errors.slug !== undefined;
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Nightly report" data-autofocus {...form.getInputProps("name")} />
        <PickGroups
          label="Groups"
          description="Groups determine which tools it can call. Without a group, it has no access."
          picked={groups}
          onPick={setGroups}
        />
        <PickUsers
          label="Owners"
          description="Users who are responsible for it and can connect its accounts."
          type="person"
          picked={owners}
          onPick={setOwners}
          toPickable={({ id, name, email }) => ({ value: id, label: name, description: email })}
        />
        <Collapse expanded={showsMore}>
          <Stack gap="md">
            <TextInput
              label="Slug"
              description="First part of its email. Generated from the name if empty."
              spellCheck={false}
              {...form.getInputProps("slug")}
            />
            <ClientFields inputProps={(field) => form.getInputProps(field)}>
              {CLIENT_DESCRIPTION} Fill in all three fields or none.
            </ClientFields>
          </Stack>
        </Collapse>
        <ErrorNote error={error} />
        <Row justify="space-between">
          <Button variant="subtle" color="gray" onClick={more.toggle} aria-expanded={showsMore}>
            {showsMore ? "Fewer options" : "More options"}
          </Button>
          <DialogActions onCancel={onClose} isWorking={isWorking}>
            Create machine user
          </DialogActions>
        </Row>
      </Stack>
    </form>
  );
}

/** Sends partly filled credentials too, so that the API reports the missing field. */
function clientCredentials(typed: TypedClient) {
  const given = trimmed(typed);
  return Object.values(given).every((value) => value === "") ? {} : { client_credentials: given };
}
