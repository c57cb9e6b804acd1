import { Stack, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { pluginsKey } from "./plugins.ts";

export function CreatePluginDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Create plugin" size="lg" closeOnClickOutside={false}>
      {opened && <CreatePluginForm onClose={onClose} />}
    </FormDialog>
  );
}

function CreatePluginForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "", slug: "", description: "" },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: async ({ name, slug, description }) => {
      const given = slug.trim() === "" ? {} : { slug: slug.trim() };
      const { data } = await api.createPlugin({
        body: { name: name.trim(), description: description.trim(), ...given },
      });
      await queries.invalidateQueries({ queryKey: pluginsKey });
      await navigate({ to: "/plugins/$slug", params: { slug: data.slug } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Team tools" data-autofocus {...form.getInputProps("name")} />
        <TextInput
          label="Slug"
          description="The name in clients, which never changes. Empty: from the name"
          placeholder="team-tools"
          {...form.getInputProps("slug")}
        />
        <Textarea
          label="Description"
          description="What the plugin is for. The marketplace shows it."
          autosize
          minRows={2}
          maxRows={8}
          {...form.getInputProps("description")}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create plugin
        </DialogActions>
      </Stack>
    </form>
  );
}
