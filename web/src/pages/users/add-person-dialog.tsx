import { Stack, Switch, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { groupsKey } from "../groups/groups.ts";
import { joinGroups } from "../groups/membership.ts";
import { PickGroups } from "../groups/pick-groups.tsx";
import { invite } from "./invite.ts";
import type { Invited } from "./invite-link.tsx";
import { usersKey } from "./users.ts";

interface AddPersonDialogProps {
  readonly opened: boolean;
  onClose(): void;
  onInvited(invited: Invited): void;
}

export function AddPersonDialog({ opened, ...rest }: AddPersonDialogProps) {
  return (
    <FormDialog opened={opened} onClose={rest.onClose} title="Add user" closeOnClickOutside={false}>
      {opened && <AddForm {...rest} />}
    </FormDialog>
  );
}

function AddForm({ onClose, onInvited }: Omit<AddPersonDialogProps, "opened">) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [groups, setGroups] = useState<readonly Pickable[]>([]);
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "", email: "", isInvited: true },
    validate: ({ name, email }) => ({
      ...(name.trim() === "" ? { name: "Enter a name" } : {}),
      ...(email.trim() === "" ? { email: "Enter an email" } : {}),
    }),
    submit: async ({ name, email, isInvited }) => {
      const { data } = await api.createUser({ body: { name: name.trim(), email: email.trim() } });
      await joinGroups(api, data.email, groups);
      // The user exists at this point. If the link fails, it can be created on the user's page.
      const invitation = isInvited ? await invite(api, data).catch(notifyFailure) : undefined;
      await Promise.all([usersKey, groupsKey].map((queryKey) => queries.invalidateQueries({ queryKey })));
      if (invitation) onInvited(invitation);
      else await navigate({ to: "/users/$email", params: { email: data.email } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Ada Lovelace" data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label="Email"
          type="email"
          placeholder="ada@example.com"
          spellCheck={false}
          {...form.getInputProps("email")}
        />
        <PickGroups
          label="Groups"
          description="The user also joins all groups that auto-assign new users."
          picked={groups}
          onPick={setGroups}
        />
        <Switch
          label="Create an invitation link"
          description="Lets the user choose a password. Not needed with single sign-on."
          {...form.getInputProps("isInvited", { type: "checkbox" })}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Add user
        </DialogActions>
      </Stack>
    </form>
  );
}
