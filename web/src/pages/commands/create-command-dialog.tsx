import { Stack, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { commandsKey } from "./commands.ts";

export function CreateCommandDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Create command" size="lg" closeOnClickOutside={false}>
      {opened && <CreateCommandForm onClose={onClose} />}
    </FormDialog>
  );
}

function CreateCommandForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "", content: "" },
    validate: ({ name, content }): { name?: string; content?: string } => ({
      ...(name.trim() === "" && { name: "Enter a name" }),
      ...(content.trim() === "" && { content: "Enter the text of the prompt" }),
    }),
    submit: async ({ name, content }) => {
      const { data } = await api.createCommand({ body: { name: name.trim(), content } });
      await queries.invalidateQueries({ queryKey: commandsKey });
      await navigate({ to: "/commands/$slug", params: { slug: data.slug } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="Release notes" data-autofocus {...form.getInputProps("name")} />
        <Textarea
          label="Content"
          description="The prompt. Write {{version}} for an argument with the name version."
          placeholder="Write release notes for {{version}}."
          autosize
          minRows={5}
          maxRows={15}
          className="gh-skill-source"
          {...form.getInputProps("content")}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create command
        </DialogActions>
      </Stack>
    </form>
  );
}
