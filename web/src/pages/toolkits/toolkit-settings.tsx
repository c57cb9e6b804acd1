import { Button, Group, Stack, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { useSaveToolkit } from "./save-toolkit.ts";
import { ToolkitCommands } from "./toolkit-commands.tsx";
import { ToolkitSkills } from "./toolkit-skills.tsx";
import { type Toolkit, toolkitsKey } from "./toolkits.ts";

export function ToolkitSettings({ toolkit }: { toolkit: Toolkit }) {
  const { changes } = useRights();
  return (
    <>
      <General toolkit={toolkit} key={toolkit.updated_at} />
      <ToolkitSkills toolkit={toolkit} key={`skills ${toolkit.updated_at}`} />
      <ToolkitCommands toolkit={toolkit} key={`commands ${toolkit.updated_at}`} />
      {changes && <Danger toolkit={toolkit} />}
    </>
  );
}

function General({ toolkit }: { toolkit: Toolkit }) {
  const { changes } = useRights();
  const save = useSaveToolkit(toolkit);
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: { name: toolkit.name, description: toolkit.description, instructions: toolkit.instructions },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: (values) => save.mutateAsync({ ...values, name: values.name.trim() }),
  });
  return (
    <Section title="General">
      <form onSubmit={onSubmit} noValidate>
        <fieldset disabled={!changes} className="gh-fieldset">
          <Stack gap="sm" maw={560}>
            <TextInput label="Name" {...form.getInputProps("name")} />
            <Textarea
              label="Description"
              description="For users, where they select a toolkit"
              autosize
              minRows={2}
              maxRows={8}
              {...form.getInputProps("description")}
            />
            <Textarea
              label="Instructions"
              description="For models, when they connect to the URL of the toolkit"
              autosize
              minRows={4}
              maxRows={16}
              {...form.getInputProps("instructions")}
            />
            <ErrorNote error={error} />
            {changes && (
              <Group>
                <Button type="submit" loading={isWorking} disabled={!form.isDirty()}>
                  Save changes
                </Button>
              </Group>
            )}
          </Stack>
        </fieldset>
      </form>
    </Section>
  );
}

function Danger({ toolkit: { slug, name } }: { toolkit: Toolkit }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  const remove = useMutation({
    mutationFn: () => api.deleteToolkit({ query: { slug } }),
    onSuccess: async () => {
      await navigate({ to: "/toolkits", replace: true });
      await queries.invalidateQueries({ queryKey: toolkitsKey });
    },
  });
  return (
    <Section
      danger
      title="Delete toolkit"
      description="Its URL stops working. Users keep the access that their groups give them."
      actions={
        <Button color="red" variant="outline" onClick={deleting.open}>
          Delete toolkit…
        </Button>
      }
    >
      <ConfirmByName
        opened={isDeleting}
        title={`Delete ${name}?`}
        name={slug}
        action="Delete toolkit"
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={deleting.close}
      >
        MCP clients that use the URL of this toolkit get an error.
      </ConfirmByName>
    </Section>
  );
}
