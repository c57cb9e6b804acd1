import { Button, Group, Select, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi, useRights } from "../../api/context.tsx";
import { CopyField } from "../../components/copy-field.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useSavedForm } from "../../components/saved-form.ts";
import { SecretOnce } from "../../components/secret-once.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { SettingsFields } from "../records/settings-fields.tsx";
import { type Agent, agentsKey } from "./agents.ts";
import { useSaveAgent } from "./save-agent.ts";

interface Shown {
  readonly title: string;
  readonly description: string;
  readonly variable: string;
  readonly value: string;
}

const HOOK_SECRET = {
  title: "Secret of the inbound webhook",
  description: "Senders sign their requests with it. It is stored encrypted and cannot be shown again.",
  variable: "GATEHOUSE_AGENT_SECRET",
};
const NOTIFY_SECRET = {
  title: "Signing secret of notifications",
  description: "Your receiver verifies with it that requests come from Gatehouse. It cannot be shown again.",
  variable: "GATEHOUSE_WEBHOOK_SECRET",
};

export function AgentTriggers({ agent }: { agent: Agent }) {
  const [shown, setShown] = useState<Shown>();
  const hook = (value: string | undefined) => value !== undefined && setShown({ ...HOOK_SECRET, value });
  const notify = (value: string | undefined) => value !== undefined && setShown({ ...NOTIFY_SECRET, value });
  return (
    <>
      <Schedule agent={agent} />
      <Hook agent={agent} onSecret={hook} />
      <Notify agent={agent} onSecret={notify} />
      <SecretOnce
        title={shown?.title ?? ""}
        description={shown?.description ?? ""}
        secrets={shown ? [{ label: "Secret", value: shown.value }] : null}
        variables={shown ? { [shown.variable]: shown.value } : {}}
        fileName={agent.slug}
        onClose={() => setShown(undefined)}
      />
    </>
  );
}

function Schedule({ agent }: { agent: Agent }) {
  const save = useSaveAgent(agent.slug);
  const { schedule } = agent.triggers;
  const { cron = "", timezone = browserTimeZone(), input = "", enabled = true } = schedule ?? {};
  const serverForm = useSavedForm({
    saved: { cron, timezone, input, enabled },
    fieldOf: (field) => field.replace(/^triggers\.schedule\./, ""),
    validate: (values): { input?: string } =>
      values.cron.trim() !== "" && values.input.trim() === "" ? { input: "Enter what to do" } : {},
    submit: (values) =>
      save.mutateAsync({
        triggers: { schedule: values.cron.trim() === "" ? null : { ...values, cron: values.cron.trim() } },
      }),
  });
  const { form } = serverForm;
  return (
    <Section
      title="Schedule"
      description="Starts sessions at fixed times. A run is skipped while the previous one has not ended."
    >
      {schedule && (
        <KeyValues
          items={[
            ["Next run", <TimeAgo key="next" time={schedule.next_run_at} never="None" />],
            [
              "Last skipped",
              schedule.skipped_at === null ? undefined : <TimeAgo key="skipped" time={schedule.skipped_at} />,
            ],
          ]}
        />
      )}
      <SettingsFields form={serverForm}>
        <TextInput
          label="Cron expression"
          description="Minute, hour, day of month, month, day of week. Leave empty for no schedule"
          placeholder="0 9 * * 1-5"
          {...form.getInputProps("cron")}
        />
        <Select
          label="Time zone"
          data={timeZones(timezone)}
          searchable
          allowDeselect={false}
          nothingFoundMessage="No such time zone"
          {...form.getInputProps("timezone")}
        />
        <Textarea label="Input" autosize minRows={3} maxRows={10} {...form.getInputProps("input")} />
        <Switch label="Enabled" {...form.getInputProps("enabled", { type: "checkbox" })} />
      </SettingsFields>
    </Section>
  );
}

function browserTimeZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC";
}

function timeZones(current: string): string[] {
  return [...new Set(["UTC", current, ...Intl.supportedValuesOf("timeZone")])];
}

interface SecretProps {
  readonly agent: Agent;
  onSecret(secret: string | undefined): void;
}

function Hook({ agent, onSecret }: SecretProps) {
  const { changes } = useRights();
  const save = useSaveAgent(agent.slug);
  const { enabled, url, has_secret: hasSecret, previous_secret_expires_at: expiresAt } = agent.triggers.webhook;
  const toggle = () =>
    save.mutate(
      { triggers: { webhook: { enabled: !enabled } } },
      { onSuccess: ({ secrets }) => onSecret(secrets?.webhook) },
    );
  return (
    <Section
      title="Inbound webhook"
      description="Starts a session for each signed request. The body is the input."
      actions={
        changes && (
          <Button variant="default" loading={save.isPending} onClick={toggle}>
            {enabled ? "Disable webhook" : "Enable webhook"}
          </Button>
        )
      }
    >
      <Stack gap="sm" maw={560}>
        <CopyField value={url} label="webhook URL" />
        {expiresAt !== null && <KeyValues items={[["Old secret expires", <TimeAgo key="old" time={expiresAt} />]]} />}
        <ErrorNote error={save.error} />
        {changes && hasSecret && <Rotate agent={agent} kind="webhook" onSecret={onSecret} />}
      </Stack>
    </Section>
  );
}

function Notify({ agent, onSecret }: SecretProps) {
  const { changes } = useRights();
  const save = useSaveAgent(agent.slug);
  const serverForm = useSavedForm({
    saved: { notify_url: agent.notify_url ?? "" },
    submit: async ({ notify_url: url }) => {
      const { secrets } = await save.mutateAsync({ notify_url: url.trim() || null });
      onSecret(secrets?.notify);
    },
  });
  return (
    <Section
      title="Notifications"
      description="Sends a signed request when a session ends. Failed requests are repeated for a day."
    >
      <SettingsFields form={serverForm}>
        <TextInput
          label="URL"
          description="Empty: no notifications"
          placeholder="https://example.com/agent-results"
          {...serverForm.form.getInputProps("notify_url")}
        />
      </SettingsFields>
      {changes && agent.notify_url !== null && <Rotate agent={agent} kind="notify" onSecret={onSecret} />}
    </Section>
  );
}

function Rotate({ agent: { slug }, kind, onSecret }: SecretProps & { readonly kind: "webhook" | "notify" }) {
  const api = useApi();
  const queries = useQueryClient();
  const rotate = useMutation({
    mutationFn: () => api.rotateAgentSecret({ path: { slug }, body: { kind } }),
    onSuccess: async ({ secret }) => {
      onSecret(secret);
      await queries.invalidateQueries({ queryKey: agentsKey });
    },
  });
  return (
    <Group mt="sm">
      <Button variant="default" loading={rotate.isPending} onClick={() => rotate.mutate()}>
        Rotate secret
      </Button>
      <Text size="sm" c="dimmed">
        The old secret stays valid for a day.
      </Text>
      <ErrorNote error={rotate.error} />
    </Group>
  );
}
