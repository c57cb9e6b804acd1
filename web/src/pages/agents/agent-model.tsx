import { NumberInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { Section } from "../../components/section.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { SettingsFields } from "../records/settings-fields.tsx";
import { defaultProviderQuery } from "./agents.ts";
import { ProviderFields } from "./provider-fields.tsx";
import { modelBody, providerBody, providerField, providerProblems, providerValues } from "./provider-values.ts";
import { useSaveAgent } from "./save-agent.ts";
import { type SectionProps, useReportedChanges } from "./settings-section.tsx";

export function Model({ agent, onSaved, onChanges }: SectionProps) {
  const save = useSaveAgent(agent.slug);
  const { data: installed = null } = useQuery(defaultProviderQuery(useApi()));
  const { type = "default", base_url: url = null, has_api_key: hasKey = false, headers = {} } = agent.provider ?? {};
  const serverForm = useServerForm({
    initial: providerValues(agent),
    fieldOf: providerField,
    validate: providerProblems,
    submit: async (values) => {
      await save.mutateAsync({ model: modelBody(values), provider: providerBody(values) });
      onSaved();
    },
  });
  const { form } = serverForm;
  useReportedChanges(form.isDirty(), onChanges);
  const isSame = form.values.type === type && form.values.base_url.trim() === (url ?? "");
  return (
    <Section title="Model" description="A different provider or URL needs its key and headers again.">
      <SettingsFields form={serverForm}>
        <ProviderFields
          type={form.values.type}
          installed={installed}
          hasKey={hasKey && isSame}
          headerNames={isSame ? Object.keys(headers) : []}
          propsOf={(field) => form.getInputProps(field)}
        />
      </SettingsFields>
    </Section>
  );
}

const LIMITS = [
  ["max_steps", "Steps", "Answers of the model in a session", 1, 200],
  ["max_output_tokens", "Tokens per answer", undefined, 1, 200_000],
  ["max_total_tokens", "Tokens per session", "Answers and their prompts", 1, 10_000_000],
  [
    "timeout_seconds",
    "Time limit (seconds)",
    "Of a session, including the time that it waits for approvals",
    10,
    3_600,
  ],
  ["max_concurrent", "Concurrent sessions", "Further sessions wait in a queue", 1, 20],
] as const;

export function Limits({ agent, onSaved, onChanges }: SectionProps) {
  const save = useSaveAgent(agent.slug);
  const serverForm = useServerForm({
    initial: { ...agent.limits },
    fieldOf: (field) => field.replace(/^limits\./, ""),
    submit: async (limits) => {
      await save.mutateAsync({ limits });
      onSaved();
    },
  });
  const { form } = serverForm;
  useReportedChanges(form.isDirty(), onChanges);
  return (
    <Section title="Limits" description="A session that reaches a limit fails.">
      <SettingsFields form={serverForm}>
        {LIMITS.map(([field, label, description, min, max]) => (
          <NumberInput
            key={field}
            label={label}
            description={description}
            min={min}
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
