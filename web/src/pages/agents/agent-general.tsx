import { TagsInput, Textarea, TextInput } from "@mantine/core";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { SettingsFields } from "../records/settings-fields.tsx";
import { useSaveAgent } from "./save-agent.ts";
import { type SectionProps, useReportedChanges } from "./settings-section.tsx";

export function General({ agent, onSaved, onChanges }: SectionProps) {
  const save = useSaveAgent(agent.slug);
  const { name, description, instructions, owner_emails: owners } = agent;
  const serverForm = useServerForm({
    initial: { name, description, instructions, owner_emails: [...owners] },
    fieldOf: (field) => field.replace(/\.\d+$/, ""),
    validate: (values): { name?: string; instructions?: string } => ({
      ...(values.name.trim() === "" && { name: "Enter a name" }),
      ...(values.instructions.trim() === "" && { instructions: "Enter the instructions" }),
    }),
    submit: async (values) => {
      await save.mutateAsync({ ...values, name: values.name.trim() });
      onSaved();
    },
  });
  const { form } = serverForm;
  useReportedChanges(form.isDirty(), onChanges);
  return (
    <Section title="General" description={`Version ${agent.version}. Running sessions keep their version.`}>
      <SettingsFields form={serverForm}>
        <TextInput label="Name" {...form.getInputProps("name")} />
        <TextInput label="Description" description="Shown in lists" {...form.getInputProps("description")} />
        <Textarea
          label="Instructions"
          description="The system prompt: the agent's task and its rules"
          autosize
          minRows={6}
          maxRows={24}
          {...form.getInputProps("instructions")}
        />
        <TagsInput
          label="Owners"
          description="Emails of the people who are responsible for it. Press Enter after each"
          {...form.getInputProps("owner_emails")}
        />
      </SettingsFields>
    </Section>
  );
}
