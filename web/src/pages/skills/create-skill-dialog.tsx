import { Stack, Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { skillsKey } from "./skills.ts";

export function CreateSkillDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title="Create skill" closeOnClickOutside={false}>
      {opened && <CreateSkillForm onClose={onClose} />}
    </FormDialog>
  );
}

function CreateSkillForm({ onClose }: { onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: "", description: "" },
    validate: ({ name, description }): { name?: string; description?: string } => ({
      ...(name.trim() === "" && { name: "Enter a name" }),
      ...(description.trim() === "" && { description: "Enter a description" }),
    }),
    submit: async ({ name, description }) => {
      const content = `# ${name.trim()}\n\n1. Describe the first step.\n`;
      const { data } = await api.createSkill({
        body: { name: name.trim(), description: description.trim(), content },
      });
      await queries.invalidateQueries({ queryKey: skillsKey });
      await navigate({ to: "/skills/$slug", params: { slug: data.slug } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Name"
          description="Lowercase letters, digits, and hyphens. It never changes."
          placeholder="release-notes"
          data-autofocus
          {...form.getInputProps("name")}
        />
        <Textarea
          label="Description"
          description="What the skill does and when to use it. Models decide by this text."
          autosize
          minRows={2}
          {...form.getInputProps("description")}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Create skill
        </DialogActions>
      </Stack>
    </form>
  );
}
