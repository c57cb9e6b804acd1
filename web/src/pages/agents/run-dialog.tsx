import { Stack, Textarea } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type Agent, agentsKey } from "./agents.ts";

export function RunDialog({ agent, opened, onClose }: { agent: Agent; opened: boolean; onClose: () => void }) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={`Run ${agent.name}`} closeOnClickOutside={false}>
      {opened && <RunForm agent={agent} onClose={onClose} />}
    </FormDialog>
  );
}

function RunForm({ agent: { slug }, onClose }: { agent: Agent; onClose: () => void }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { input: "" },
    validate: ({ input }): { input?: string } => (input.trim() === "" ? { input: "Enter what to do" } : {}),
    submit: async ({ input }) => {
      const { data } = await api.invokeBackgroundAgent({ path: { slug }, body: { input } });
      await queries.invalidateQueries({ queryKey: [...agentsKey, "sessions", slug] });
      await navigate({ to: "/agents/$slug/sessions/$id", params: { slug, id: data.id } });
    },
  });
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <Textarea
          label="Input"
          description="What to do. Its tools have real effects."
          autosize
          minRows={4}
          maxRows={14}
          data-autofocus
          {...form.getInputProps("input")}
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          Run
        </DialogActions>
      </Stack>
    </form>
  );
}
