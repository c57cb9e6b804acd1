import { Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconRefresh } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { CopyText } from "../../components/copy-text.tsx";
import { ErrorNote, ErrorState } from "../../components/error-state.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { type DeliveryDetail, deliveryLabel, eventTitle, type WebhookEvent, webhooksKey } from "./webhooks.ts";
import "./webhooks.css";

interface DeliveryPanelProps {
  readonly webhookId: string;
  readonly deliveryId: string | undefined;
  readonly events: readonly WebhookEvent[] | undefined;
  onClose(): void;
}

/** The request, the response and all attempts of one delivery. */
export function DeliveryPanel({ webhookId, deliveryId, events, onClose }: DeliveryPanelProps) {
  return (
    <Drawer opened={deliveryId !== undefined} onClose={onClose} size={560} title="Delivery">
      {deliveryId !== undefined && (
        <OneDelivery key={deliveryId} webhookId={webhookId} deliveryId={deliveryId} events={events} />
      )}
    </Drawer>
  );
}

const PENDING_REFRESH_MS = 2_000;

function OneDelivery({ webhookId, deliveryId, events }: Omit<DeliveryPanelProps, "onClose"> & { deliveryId: string }) {
  const api = useApi();
  const { data, error, refetch } = useQuery({
    queryKey: [...webhooksKey, "delivery", deliveryId],
    queryFn: async ({ signal }) =>
      (await api.getWebhookDelivery({ path: { id: webhookId, delivery_id: deliveryId }, signal })).data,
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? PENDING_REFRESH_MS : false),
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  const { label, tone } = deliveryLabel(data);
  return (
    <>
      <Stack gap="sm" mb="md">
        <Group gap="xs">
          <Text fw={600} size="lg" component="h2" m={0}>
            {eventTitle(events, data.event)}
          </Text>
          <StatusPill tone={tone}>{label}</StatusPill>
        </Group>
        {data.error !== null && <Note tone={data.status === "failed" ? "bad" : "warn"}>{data.error}</Note>}
        <Redeliver webhookId={webhookId} delivery={data} />
      </Stack>
      <Section title="Details">
        <KeyValues
          items={[
            ["Event", <code key="event">{data.event}</code>],
            ["Event ID", <CopyText key="id" value={data.event_id} label="Copy event ID" />],
            ["Time", <TimeAgo key="time" time={data.created_at} />],
            [
              "Next attempt",
              data.next_attempt_at === null ? undefined : <TimeAgo key="next" time={data.next_attempt_at} />,
            ],
          ]}
        />
      </Section>
      <Section title="Request">
        <JsonView value={JSON.parse(data.request_body)} label="request" />
      </Section>
      <Section title={data.attempt_log.length === 1 ? "Response" : "Attempts"}>
        <Attempts attempts={data.attempt_log} />
      </Section>
    </>
  );
}

function Redeliver({ webhookId, delivery }: { webhookId: string; delivery: DeliveryDetail }) {
  const api = useApi();
  const { changes } = useRights();
  const queries = useQueryClient();
  const redeliver = useMutation({
    mutationFn: () => api.redeliverWebhookDelivery({ path: { id: webhookId, delivery_id: delivery.id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: webhooksKey }),
  });
  if (!changes) return null;
  return (
    <>
      <Group>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={redeliver.isPending}
          onClick={() => redeliver.mutate()}
        >
          Redeliver
        </Button>
      </Group>
      <ErrorNote error={redeliver.error} />
    </>
  );
}

/** Newest first. */
function Attempts({ attempts }: { attempts: DeliveryDetail["attempt_log"] }) {
  if (attempts.length === 0) return <Text size="sm">Not sent yet.</Text>;
  return (
    <ol className="gh-webhook-attempts" reversed>
      {attempts.toReversed().map(({ at, duration_ms: duration, response_status: status, error, response }) => (
        <li key={at}>
          <div className="gh-webhook-attempt">
            <StatusPill tone={error === null ? "good" : "bad"}>{status ?? "No response"}</StatusPill>
            <span>{`${duration.toLocaleString("en")} ms`}</span>
            <span className="gh-dim">
              <TimeAgo time={at} />
            </span>
          </div>
          {status === null && error !== null && <Text size="sm">{error}</Text>}
          {response !== null && response !== "" && (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it.
            <pre tabIndex={0}>{response}</pre>
          )}
        </li>
      ))}
    </ol>
  );
}
