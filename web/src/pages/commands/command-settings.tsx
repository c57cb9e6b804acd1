import { Button, Group, Switch, TagsInput, Textarea, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { withBasePath } from "../../api/base-path.ts";
import { useApi, useRights } from "../../api/context.tsx";
import { changedFields, useSavedForm } from "../../components/saved-form.ts";
import { Section } from "../../components/section.tsx";
import { DeleteSection } from "../records/delete-section.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
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
  const navigate = useNavigate();
  const save = useSaveCommand(command);
  const serverForm = useSavedForm({
    saved: {
      ...{ name: command.name, slug: command.slug, description: command.description, model: command.model ?? "" },
      ...{ allowed_tools: [...command.allowed_tools], skills: [...command.skills] },
      include_skills: command.include_skills,
    },
    validate: ({ name, slug }): { name?: string; slug?: string } => ({
      ...(name.trim() === "" && { name: "Enter a name" }),
      ...(slug.trim() === "" && { slug: "Enter a slug" }),
    }),
    submit: async (values, before) => {
      // A description that was not changed keeps following the content.
      const { description, model, ...changed } = changedFields(before, values);
      const slug = values.slug.trim();
      await save.mutateAsync({
        ...changed,
        ...(changed.name !== undefined && { name: changed.name.trim() }),
        ...(changed.slug !== undefined && { slug }),
        ...(description !== undefined && { description: description.trim() || null }),
        ...(model !== undefined && { model: model.trim() || null }),
      });
      if (slug !== command.slug) {
        await navigate({ to: "/commands/$slug", params: { slug }, search: { tab: "settings" }, replace: true });
      }
    },
  });
  const { form } = serverForm;
  return (
    <Section title="General">
      <SettingsFields form={serverForm}>
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
        <TextInput label="Model" description="For exports. The gateway ignores it." {...form.getInputProps("model")} />
      </SettingsFields>
    </Section>
  );
}

function Danger({ command: { slug, name } }: { command: Command }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <DeleteSection
      kind="command"
      name={name}
      slug={slug}
      description="Members can no longer use it, and toolkits lose it."
      remove={() => api.deleteCommand({ query: { slug } })}
      onDeleted={async () => {
        await navigate({ to: "/commands", replace: true });
        await queries.invalidateQueries({ queryKey: commandsKey });
      }}
    >
      MCP clients get an error when they use the command.
    </DeleteSection>
  );
}
