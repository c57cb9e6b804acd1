import { Button, Group, Stack, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { withBasePath } from "../../api/base-path.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type Command, commandsKey } from "./commands.ts";
import { useSaveCommand } from "./save-command.ts";

const FORMATS = [
  { format: "claude", label: "Claude Code", extension: "md" },
  { format: "cursor", label: "Cursor", extension: "md" },
  { format: "gemini", label: "Gemini CLI", extension: "toml" },
] as const;

export function CommandSettings({ command }: { command: Command }) {
  const { changes } = useRights();
  return (
    <>
      <General command={command} />
      <Section
        title="Export"
        description="A file for clients that do not show prompts of MCP servers. A file for Claude Code can be imported again."
      >
        <Group gap="xs">
          {FORMATS.map(({ format, label, extension }) => (
            <Button
              key={format}
              component="a"
              href={withBasePath(`/api/commands/${command.slug}/export?format=${format}`)}
              download={`${command.slug}.${extension}`}
              variant="default"
              leftSection={<IconDownload size={16} />}
            >
              {`Export for ${label}`}
            </Button>
          ))}
        </Group>
      </Section>
      {changes && <Danger command={command} />}
    </>
  );
}

function General({ command }: { command: Command }) {
  const { changes } = useRights();
  const navigate = useNavigate();
  const save = useSaveCommand(command);
  const { form, onSubmit, isWorking, error } = useServerForm({
    initial: {
      ...{ name: command.name, slug: command.slug, description: command.description, model: command.model ?? "" },
      ...{ allowed_tools: [...command.allowed_tools], skills: [...command.skills] },
      include_skills: command.include_skills,
    },
    validate: ({ name, slug }): { name?: string; slug?: string } => ({
      ...(name.trim() === "" && { name: "Enter a name" }),
      ...(slug.trim() === "" && { slug: "Enter a slug" }),
    }),
    submit: async ({ description, ...values }) => {
      const slug = values.slug.trim();
      const isNewDescription = description !== command.description;
      const body = {
        ...{ ...values, slug, name: values.name.trim(), model: values.model.trim() || null },
        // A description that was not changed keeps following the content.
        ...(isNewDescription && { description: description.trim() || null }),
      };
      await save.mutateAsync(body);
      if (slug !== command.slug) {
        await navigate({ to: "/commands/$slug", params: { slug }, search: { tab: "settings" }, replace: true });
      }
    },
  });
  return (
    <Section title="General">
      <form onSubmit={onSubmit} noValidate>
        <fieldset disabled={!changes} className="gh-fieldset">
          <Stack gap="sm" maw={560}>
            <TextInput label="Name" {...form.getInputProps("name")} />
            <TextInput
              label="Slug"
              description="The name by which people invoke it. The old name stops working immediately."
              leftSection="/"
              {...form.getInputProps("slug")}
            />
            <Textarea
              label="Description"
              description="Empty: the first line of the content"
              autosize
              minRows={2}
              maxRows={10}
              {...form.getInputProps("description")}
            />
            <TagsInput label="Skills" description="Slugs of skills that it uses" {...form.getInputProps("skills")} />
            <Switch
              label="Add the URIs of the skills to the text"
              {...form.getInputProps("include_skills", { type: "checkbox" })}
            />
            <TagsInput
              label="Allowed tools"
              description="For exports. The gateway ignores them."
              {...form.getInputProps("allowed_tools")}
            />
            <TextInput
              label="Model"
              description="For exports. The gateway ignores it."
              {...form.getInputProps("model")}
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

function Danger({ command: { slug, name } }: { command: Command }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isDeleting, deleting] = useDisclosure();
  const remove = useMutation({
    mutationFn: () => api.deleteCommand({ query: { slug } }),
    onSuccess: async () => {
      await navigate({ to: "/commands", replace: true });
      await queries.invalidateQueries({ queryKey: commandsKey });
    },
  });
  return (
    <Section
      danger
      title="Delete command"
      description="Members can no longer use it, and toolkits lose it."
      actions={
        <Button color="red" variant="outline" onClick={deleting.open}>
          Delete command…
        </Button>
      }
    >
      <ConfirmByName
        opened={isDeleting}
        title={`Delete ${name}?`}
        name={slug}
        action="Delete command"
        isWorking={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={deleting.close}
      >
        MCP clients get an error when they use the command.
      </ConfirmByName>
    </Section>
  );
}
