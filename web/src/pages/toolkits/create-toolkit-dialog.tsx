import { Stack, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { toolkitsKey } from "./toolkits.ts";

export function CreateToolkitDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Create toolkit" closeOnClickOutside={false}>
      {opened && <CreateToolkitForm onClose={onClose} />}
    </FormDialog>
  );
}

function CreateToolkitForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "", description: "" },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async ({ name, description }) => {
      const { data } = await api.createToolkit({ body: { name: name.trim(), description: description.trim() } });
      await queries.invalidateQueries({ queryKey: toolkitsKey });
      await navigate({ to: "/toolkits/$slug", params: { slug: data.slug } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Issue triage" data-autofocus {...form.getInputProps("name")} />
        <Textarea
          label="Description"
          description="Optional. Users see it where they select a toolkit."
          autosize
          minRows={2}
          {...form.getInputProps("description")}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create toolkit
        </DialogActions>
      </Stack>
    </form>
  );
}
