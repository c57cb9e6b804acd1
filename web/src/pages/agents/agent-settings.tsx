import { MultiSelect, NumberInput, Select, Textarea, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useApi, useRights } from "../../api/context.tsx";
import { clearButton } from "../../components/clear-button.ts";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { DeleteSection } from "../records/delete-section.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
import { skillsKey } from "../skills/skills.ts";
import { toolkitsKey } from "../toolkits/toolkits.ts";
import { AgentPlatform } from "./agent-platform.tsx";
import { type Agent, agentsKey } from "./agents.ts";
import { ProviderFields } from "./create-agent-dialog.tsx";
import { useSaveAgent } from "./save-agent.ts";

export function AgentSettings({ agent }: { agent: Agent }) {
  const { changes } = useRights();
  return (
    <>
      <AgentPlatform agent={agent} />
      <General agent={agent} />
      {agent.platform === "builtin" && <Model agent={agent} />}
      <Limits agent={agent} />
      {changes && <Danger agent={agent} />}
    </>
  );
}

function General({ agent }: { agent: Agent }) {
  const api = useApi();
  const save = useSaveAgent(agent.slug);
  const { data: toolkits = [] } = useQuery({
    queryKey: [...toolkitsKey, "slugs"],
    queryFn: async ({ signal }) =>
      (await api.listToolkits({ query: { limit: 200 }, signal })).data.map(({ slug }) => slug),
  });
  const { data: skills = [] } = useQuery({
    queryKey: [...skillsKey, "slugs"],
    queryFn: async ({ signal }) =>
      (await api.listSkills({ query: { limit: 200, fields: "slug" }, signal })).data.flatMap(({ slug }) => slug ?? []),
  });
  const serverForm = useServerForm({
    initial: {
      ...{ name: agent.name, description: agent.description, instructions: agent.instructions },
      ...{ toolkit: agent.toolkit, skills: [...agent.skills] },
    },
    validate: ({ name, instructions }): { name?: string; instructions?: string } => ({
      ...(name.trim() === "" && { name: "Enter a name" }),
      ...(instructions.trim() === "" && { instructions: "Enter the instructions" }),
    }),
    submit: ({ name, ...values }) => save.mutateAsync({ ...values, name: name.trim() }),
  });
  const { form } = serverForm;
  return (
    <Section title="General" description={`Version ${agent.version}. Running sessions keep their version.`}>
      <SettingsFields form={serverForm}>
        <TextInput label="Name" {...form.getInputProps("name")} />
        <TextInput label="Description" description="For people" {...form.getInputProps("description")} />
        <Textarea
          label="Instructions"
          description="The system prompt: what the agent does, and how"
          autosize
          minRows={6}
          maxRows={24}
          {...form.getInputProps("instructions")}
        />
        <Select
          label="Toolkit"
          description="Limits the agent to these tools. Empty: every tool of its machine user"
          data={[...new Set([...toolkits, ...(agent.toolkit === null ? [] : [agent.toolkit])])]}
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

function Model({ agent }: { agent: Agent }) {
  const save = useSaveAgent(agent.slug);
  const { type, base_url, has_api_key: hasKey } = agent.provider;
  const serverForm = useServerForm({
    initial: { type, model: agent.model, base_url: base_url ?? "", api_key: "" },
    fieldOf: (field) => field.replace(/^provider\./, ""),
    validate: ({ model }): { model?: string } => (model.trim() === "" ? { model: "Enter the name of the model" } : {}),
    submit: ({ type: chosen, model, base_url: url, api_key: key }) =>
      save.mutateAsync({
        model: model.trim(),
        provider: { type: chosen, base_url: url.trim() || null, ...(key.trim() !== "" && { api_key: key.trim() }) },
      }),
  });
  const { form } = serverForm;
  const isSame = form.values.type === type && form.values.base_url === (base_url ?? "");
  return (
    <Section title="Model" description="A different provider or URL needs its key again.">
      <SettingsFields form={serverForm}>
        <ProviderFields
          type={form.values.type}
          hasKey={hasKey && isSame}
          propsOf={(field) => form.getInputProps(field)}
        />
      </SettingsFields>
    </Section>
  );
}

const LIMITS = [
  ["max_steps", "Steps", "Answers of the model in a session", 200],
  ["max_output_tokens", "Tokens of an answer", undefined, 200_000],
  ["max_total_tokens", "Tokens of a session", "Answers and their prompts", 10_000_000],
  ["timeout_seconds", "Seconds of a session", undefined, 3_600],
  ["max_concurrent", "Sessions at a time", "Others wait", 20],
] as const;

function Limits({ agent }: { agent: Agent }) {
  const save = useSaveAgent(agent.slug);
  const serverForm = useServerForm({
    initial: { ...agent.limits },
    fieldOf: (field) => field.replace(/^limits\./, ""),
    submit: (limits) => save.mutateAsync({ limits }),
  });
  const { form } = serverForm;
  return (
    <Section title="Limits" description="A session that reaches a limit fails.">
      <SettingsFields form={serverForm}>
        {LIMITS.map(([field, label, description, max]) => (
          <NumberInput
            key={field}
            label={label}
            description={description}
            min={1}
            max={max}
            allowDecimal={false}
            thousandSeparator=","
            {...form.getInputProps(field)}
          />
        ))}
      </SettingsFields>
    </Section>
  );
}

function Danger({ agent: { slug, name } }: { agent: Agent }) {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  return (
    <DeleteSection
      kind="agent"
      name={name}
      slug={slug}
      description="Deletes its sessions. Its machine user stays."
      remove={() => api.deleteBackgroundAgent({ query: { slug, force: true } })}
      onDeleted={async () => {
        await navigate({ to: "/agents", replace: true });
        await queries.invalidateQueries({ queryKey: agentsKey });
      }}
    >
      Sessions that run are canceled. The log keeps the calls.
    </DeleteSection>
  );
}
