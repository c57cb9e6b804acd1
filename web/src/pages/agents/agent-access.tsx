import { MultiSelect, Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { clearButton } from "../../components/clear-button.ts";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { SettingsFields } from "../records/settings-fields.tsx";
import { skillsKey } from "../skills/skills.ts";
import { toolkitsKey } from "../toolkits/toolkits.ts";
import { agentsKey } from "./agents.ts";
import { useSaveAgent } from "./save-agent.ts";
import { type SectionProps, useReportedChanges } from "./settings-section.tsx";

/** The machine user of the agent, and the tools and skills that it can use. */
export function Access({ agent, onSaved, onChanges }: SectionProps) {
  const save = useSaveAgent(agent.slug);
  const { toolkits, skills, identities } = useChoices();
  const serverForm = useServerForm({
    initial: { identity: agent.identity, toolkit: agent.toolkit, skills: [...agent.skills] },
    submit: async ({ identity, ...values }) => {
      await save.mutateAsync({ ...values, ...(identity !== null && { identity }) });
      onSaved();
    },
  });
  const { form } = serverForm;
  useReportedChanges(form.isDirty(), onChanges);
  const including = (choices: readonly string[], current: string | null) => [
    ...new Set([...choices, ...(current === null ? [] : [current])]),
  ];
  return (
    <Section title="Access" description="The groups of the machine user decide which tools the agent can call.">
      <SettingsFields form={serverForm}>
        <Select
          label="Machine user"
          description="The agent calls tools as this machine user"
          data={including(identities, agent.identity)}
          searchable
          allowDeselect={false}
          placeholder="Select a machine user"
          nothingFoundMessage="No such machine user"
          {...form.getInputProps("identity")}
        />
        <Select
          label="Toolkit"
          description="Limits the agent to these tools. Leave empty for every tool of its machine user"
          data={including(toolkits, agent.toolkit)}
          searchable
          clearable
          clearButtonProps={clearButton("Clear toolkit")}
          placeholder="All tools"
          nothingFoundMessage="No such toolkit"
          {...form.getInputProps("toolkit")}
        />
        <MultiSelect
          label="Skills"
          description="The agent reads them when it needs them"
          data={[...new Set([...skills, ...agent.skills])]}
          searchable
          nothingFoundMessage="No other skills"
          {...form.getInputProps("skills")}
        />
      </SettingsFields>
    </Section>
  );
}

function useChoices() {
  const api = useApi();
  const { data: toolkits = [] } = useQuery({
    queryKey: [...toolkitsKey, "slugs"],
    queryFn: async ({ signal }) =>
      (await api.listToolkits({ query: { limit: 200 }, signal })).data.flatMap(({ slug }) => slug ?? []),
  });
  const { data: skills = [] } = useQuery({
    queryKey: [...skillsKey, "slugs"],
    queryFn: async ({ signal }) =>
      (await api.listSkills({ query: { limit: 200, fields: "slug" }, signal })).data.flatMap(({ slug }) => slug ?? []),
  });
  const { data: identities = [] } = useQuery({
    queryKey: [...agentsKey, "machine-users"],
    queryFn: async ({ signal }) =>
      (await api.listUsers({ query: { type: "machine", limit: 200 }, signal })).data.flatMap(
        ({ email }) => email ?? [],
      ),
  });
  return { toolkits, skills, identities };
}
