import { Button, Drawer, Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconPencil, IconSend } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useApi, useRights } from "../../api/context.tsx";
import { ErrorState } from "../../components/error-state.tsx";
import { Note } from "../../components/note.tsx";
import { KeyValues, Section } from "../../components/section.tsx";
import { StatusPill } from "../../components/status-pill.tsx";
import { TimeAgo } from "../../components/time-ago.tsx";
import { ManagedArea, ManagedNote } from "../config/managed-note.tsx";
import { OUTCOME_LABELS } from "../logs/call-labels.ts";
import { useDestinationChanges } from "./destination-changes.ts";
import { EditDestination } from "./edit-destination.tsx";
import {
  destinationsKey,
  KIND_LABELS,
  type LogCursor,
  type LogDestination,
  lagText,
  SOURCE_LABELS,
  STATUS_LABELS,
} from "./log-destinations.ts";
import { RewindDestination } from "./rewind-destination.tsx";

interface DestinationPanelProps {
  readonly destinationId: string | undefined;
  onClose(): void;
}

const REFRESH_MS = 5_000;

/** The state of one log destination: how far each log was sent, and why it waits. */
export function DestinationPanel({ destinationId, onClose }: DestinationPanelProps) {
  return (
    <Drawer opened={destinationId !== undefined} onClose={onClose} size={560} title="Log destination">
      {destinationId !== undefined && <OneDestination key={destinationId} id={destinationId} />}
    </Drawer>
  );
}

function OneDestination({ id }: { id: string }) {
  const api = useApi();
  const { changes } = useRights();
  const { data, error, refetch } = useQuery({
    queryKey: [...destinationsKey, "one", id],
    queryFn: async ({ signal }) => (await api.getLogDestination({ path: { id }, signal })).data,
    refetchInterval: REFRESH_MS,
  });
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} />;
  const { label, tone } = STATUS_LABELS[data.status];
  return (
    <>
      <Stack gap="sm" mb="md">
        <Group gap="xs">
          <Text fw={600} size="lg" component="h2" m={0}>
            {data.name}
          </Text>
          <StatusPill tone={tone}>{label}</StatusPill>
        </Group>
        {changes && <PanelActions destination={data} />}
      </Stack>
      <ManagedNote kind="log-destinations" name={data.name} />
      <Section title="Details">
        <KeyValues
          items={[
            ["Kind", KIND_LABELS[data.kind]],
            ["URL", data.url ?? undefined],
            ["Bucket", data.bucket ?? undefined],
            ["Access key ID", data.access_key_id ?? undefined],
            ["Region", data.region ?? undefined],
            ["Prefix", data.prefix ?? undefined],
            ["Headers", data.header_names.length > 0 ? data.header_names.join(", ") : undefined],
            ["Outcomes", data.outcomes?.map((outcome) => OUTCOME_LABELS[outcome].label).join(", ")],
            ["Created by", data.created_by],
          ]}
        />
      </Section>
      {data.cursors.map((cursor) => (
        <CursorSection key={cursor.source} cursor={cursor} />
      ))}
    </>
  );
}

function PanelActions({ destination }: { destination: LogDestination }) {
  const { test } = useDestinationChanges(destination);
  return (
    <Group gap="xs">
      <ManagedArea kind="log-destinations" name={destination.name}>
        <EditAction destination={destination} />
      </ManagedArea>
      <Button
        variant="default"
        leftSection={<IconSend size={16} />}
        loading={test.isPending}
        onClick={() => test.mutate()}
      >
        Send test record
      </Button>
      <RewindDestination destination={destination} />
    </Group>
  );
}

function EditAction({ destination }: { destination: LogDestination }) {
  const { changes } = useRights();
  const [isEditing, editing] = useDisclosure();
  if (!changes) return null;
  return (
    <>
      <Button variant="default" leftSection={<IconPencil size={16} />} onClick={editing.open}>
        Edit…
      </Button>
      <EditDestination destination={destination} opened={isEditing} onClose={editing.close} />
    </>
  );
}

function CursorSection({ cursor }: { cursor: LogCursor }) {
  const { failing_since: since, next_attempt_at: next, shipped_at: shippedAt, lost_records: lost } = cursor;
  return (
    <Section title={SOURCE_LABELS[cursor.source]}>
      {cursor.last_error !== null && <Note tone={since === null ? "warn" : "bad"}>{cursor.last_error}</Note>}
      {lost > 0 && (
        <Note tone="warn">
          Retention deleted {lost.toLocaleString("en-US")} {lost === 1 ? "record" : "records"} before they were sent.
        </Note>
      )}
      <KeyValues
        items={[
          ["Position", cursor.position.toLocaleString("en-US")],
          ["Waiting", lagText([cursor])],
          ["Sent", cursor.shipped_records.toLocaleString("en-US")],
          ["Last sent", shippedAt === null ? "Never" : <TimeAgo key="sent" time={shippedAt} />],
          ["Lost", lost.toLocaleString("en-US")],
          ["Rejected by the receiver", cursor.rejected_records.toLocaleString("en-US")],
          ["Failing since", since === null ? undefined : <TimeAgo key="since" time={since} />],
          ["Next attempt", next === null ? undefined : <TimeAgo key="next" time={next} />],
        ]}
      />
    </Section>
  );
}
