import { Stack, Switch, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { groupsKey } from "./groups.ts";
import { GROUP_SETTINGS } from "./setting-labels.ts";

export function CreateGroupDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Create group" closeOnClickOutside={false}>
      {opened && <CreateGroupForm onClose={onClose} />}
    </FormDialog>
  );
}

function CreateGroupForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "", auto_assign_users: false, auto_assign_mcps: false, show_draft_mcps: false },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async ({ name, ...settings }) => {
      const { data } = await api.createGroup({ body: { name: name.trim(), settings } });
      await queries.invalidateQueries({ queryKey: groupsKey });
      await navigate({ to: "/groups/$name", params: { name: data.name } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Engineering" data-autofocus {...form.getInputProps("name")} />
        {GROUP_SETTINGS.map(({ key, label, description }) => (
          <Switch
            key={key}
            label={label}
            description={description}
            {...form.getInputProps(key, { type: "checkbox" })}
          />
        ))}
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create group
        </DialogActions>
      </Stack>
    </form>
  );
}
