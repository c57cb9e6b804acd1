import { Textarea, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { changedFields, useSavedForm } from "../../components/saved-form.ts";
import { Section } from "../../components/section.tsx";
import { DeleteSection } from "../records/delete-section.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
import { useSaveToolkit } from "./save-toolkit.ts";
import { ToolkitCommands } from "./toolkit-commands.tsx";
import { ToolkitSkills } from "./toolkit-skills.tsx";
import { type Toolkit, toolkitsKey } from "./toolkits.ts";

export function ToolkitSettings({ toolkit }: { toolkit: Toolkit }) {
  const { changes } = useRights();
  return (
    <>
      <General toolkit={toolkit} />
      <ToolkitSkills toolkit={toolkit} />
      <ToolkitCommands toolkit={toolkit} />
      {changes && <Danger toolkit={toolkit} />}
    </>
  );
}

function General({ toolkit }: { toolkit: Toolkit }) {
  const save = useSaveToolkit(toolkit);
  const serverForm = useSavedForm({
    saved: { name: toolkit.name, description: toolkit.description, instructions: toolkit.instructions },
    validate: ({ name }): { name?: string } => (name.trim() === "" ? { name: "Enter a name" } : {}),
    submit: (values, before) => save.mutateAsync(changedFields(before, { ...values, name: values.name.trim() })),
  });
  const { form } = serverForm;
  return (
    <Section title="General">
      <SettingsFields form={serverForm}>
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
      </SettingsFields>
    </Section>
  );
}

function Danger({ toolkit: { slug, name } }: { toolkit: Toolkit }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <DeleteSection
      kind="toolkit"
      name={name}
      slug={slug}
      description="Its URL stops working. Users keep the access that their groups give them."
      remove={() => api.deleteToolkit({ query: { slug } })}
      onDeleted={async () => {
        await navigate({ to: "/toolkits", replace: true });
        await queries.invalidateQueries({ queryKey: toolkitsKey });
      }}
    >
      MCP clients that use the URL of this toolkit get an error.
    </DeleteSection>
  );
}
