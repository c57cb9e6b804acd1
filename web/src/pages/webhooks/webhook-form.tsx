import { Checkbox, SegmentedControl, Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { useServerForm } from "../../components/server-form.ts";
import { type EventType, eventsQuery, type Webhook, type WebhookEvent } from "./webhooks.ts";
import "./webhooks.css";

export interface WebhookValues extends Record<string, unknown> {
  name: string;
  url: string;
  format: Webhook["format"];
  events: EventType[];
}

interface WebhookFormProps {
  readonly initial: WebhookValues;
  readonly action: string;
  onClose(): void;
  submit(values: WebhookValues): Promise<unknown>;
}

const FORMATS = [
  { value: "json", label: "JSON" },
  { value: "slack", label: "Slack" },
];

/** The fields of a webhook, for creating and editing. */
export function WebhookForm({ initial, action, onClose, submit }: WebhookFormProps) {
  const api = useApi();
  const { data: events, error: eventsError } = useQuery(eventsQuery(api));
  const { form, onSubmit, isWorking, error } = useServerForm<WebhookValues>({
    initial,
    fieldOf: (field) => field.replace(/\..*/, ""),
    validate: ({ name, url, events: chosen }) => ({
      ...(name.trim() === "" ? { name: "Enter a name" } : {}),
      ...(url.trim() === "" ? { url: "Enter the URL of the receiver" } : {}),
      ...(chosen.length === 0 ? { events: "Select at least one event" } : {}),
    }),
    submit: (values) => submit({ ...values, name: values.name.trim(), url: values.url.trim() }),
  });
  const isSlack = form.values.format === "slack";
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput label="Name" placeholder="On-call" data-autofocus {...form.getInputProps("name")} />
        <div>
          <Text size="sm" fw={500} mb={4} id="webhook-format">
            Format
          </Text>
          <SegmentedControl data={FORMATS} aria-labelledby="webhook-format" {...form.getInputProps("format")} />
          <Text size="xs" c="dimmed" mt={4}>
            {isSlack
              ? "A readable message with a link, for Slack and services that accept its format, such as Mattermost."
              : "The event as JSON, signed as Standard Webhooks describes, for your own code."}
          </Text>
        </div>
        <TextInput
          label="URL"
          type="url"
          placeholder={isSlack ? "https://hooks.slack.com/services/…" : "https://hooks.example.com/gatehouse"}
          {...form.getInputProps("url")}
        />
        <Checkbox.Group label="Events" {...form.getInputProps("events")}>
          <ErrorNote error={eventsError} />
          {events ? <EventGroups events={events} selected={initial.events} /> : <Skeleton height={200} mt={6} />}
        </Checkbox.Group>
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking}>
          {action}
        </DialogActions>
      </Stack>
    </form>
  );
}

/** Events that this release does not send are shown only if the webhook has them. */
function EventGroups({ events, selected }: { events: readonly WebhookEvent[]; selected: readonly string[] }) {
  const shown = events.filter(({ type, available }) => available || selected.includes(type));
  return (
    <Stack gap="sm" mt={6}>
      {[...Map.groupBy(shown, ({ group }) => group)].map(([group, members]) => (
        <fieldset key={group} className="gh-webhook-events">
          <legend>{group}</legend>
          <Stack gap={6}>
            {members.map(({ type, title, description }) => (
              <Checkbox key={type} value={type} label={title} description={description} />
            ))}
          </Stack>
        </fieldset>
      ))}
    </Stack>
  );
}
