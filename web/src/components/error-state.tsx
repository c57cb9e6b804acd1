import { Button, Text } from "@mantine/core";
import { CopyText } from "./copy-text.tsx";
import { describeFailure } from "./failure.ts";
import "./states.css";

/** Replaces content that failed to load: what happened, why, what to do next, and the request ID. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { title, detail, next, requestId } = describeFailure(error);
  return (
    <div className="gh-state" role="alert">
      <Text fw={600}>{title}</Text>
      {detail !== undefined && (
        <Text size="sm" className="gh-state-detail">
          {detail}
        </Text>
      )}
      <Text size="sm" c="dimmed">
        {next}
      </Text>
      {onRetry && (
        <Button variant="default" mt="xs" onClick={onRetry}>
          Retry
        </Button>
      )}
      {requestId !== undefined && <RequestId id={requestId} />}
    </div>
  );
}

/** The error of a form or button, shown next to it. */
export function ErrorNote({ error }: { error: unknown }) {
  if (error === null || error === undefined) return null;
  const { title, detail, next, requestId } = describeFailure(error);
  return (
    <div className="gh-note" data-tone="bad" role="alert">
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <Text size="sm">{detail ?? next}</Text>
      {requestId !== undefined && <RequestId id={requestId} />}
    </div>
  );
}

function RequestId({ id }: { id: string }) {
  return (
    <Text size="xs" c="dimmed" component="div" mt={4}>
      Request ID <CopyText value={id} label="Copy request ID" />
    </Text>
  );
}
