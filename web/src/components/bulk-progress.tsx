import { Button, CloseButton, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import type { BulkFailure, BulkRun, BulkRunner } from "./bulk-run.ts";
import { describeFailure } from "./failure.ts";
import "./bulk-progress.css";

/** The bar below a list while rows are selected: their number and the available actions. */
export function BulkBar({ count, onClear, children }: { count: ReactNode; onClear: () => void; children: ReactNode }) {
  return (
    <section className="gh-bulk-bar" aria-label="Selected rows">
      <span className="gh-bulk-count" aria-live="polite">
        {count}
      </span>
      {children}
      <CloseButton aria-label="Clear selection" onClick={onClear} />
    </section>
  );
}

/** The progress of a bulk action and its failures. Closes automatically when every item succeeded. */
export function BulkProgress({ runner: { run, stop, close } }: { runner: BulkRunner }) {
  const isOver = run?.state === "over";
  const isLong = useIsLong(run !== undefined && !isOver);
  return (
    <Modal
      opened={run !== undefined && (isOver ? !isSuccess(run) : isLong)}
      onClose={close}
      title={run?.title}
      withCloseButton={isOver}
      closeOnClickOutside={isOver}
      closeOnEscape={isOver}
    >
      {run && (
        <Stack gap="md">
          <Progress
            value={(run.done / run.items.length) * 100}
            color={run.failures.length > 0 ? "red" : "accent"}
            aria-label={run.title}
          />
          <Text size="sm" role="status">
            {summaryOf(run)}
          </Text>
          {run.failures.length > 0 && (
            <ul className="gh-bulk-failures" aria-label="Failures">
              {run.failures.map((failure) => (
                <Failure key={failure.item.key} failure={failure} />
              ))}
            </ul>
          )}
          <Group justify="flex-end">
            {isOver ? (
              <Button onClick={close} data-autofocus>
                Close
              </Button>
            ) : (
              <Button variant="default" onClick={stop} loading={run.state === "stopping"}>
                Stop
              </Button>
            )}
          </Group>
        </Stack>
      )}
    </Modal>
  );
}

const LONG_MS = 400;

/** Keeps the dialog closed for short runs, where it would only flash. */
function useIsLong(isRunning: boolean): boolean {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => {
      clearTimeout(timer);
      setLong(false);
    };
  }, [isRunning]);
  return isLong;
}

function Failure({ failure: { item, error } }: { failure: BulkFailure }) {
  const { title, detail, requestId } = describeFailure(error);
  return (
    <li>
      <Text size="sm" fw={500}>
        {item.name}
      </Text>
      <Text size="sm" c="dimmed">
        {detail ?? title}
        {requestId !== undefined && ` (request ID ${requestId})`}
      </Text>
    </li>
  );
}

function isSuccess({ failures, done, items }: BulkRun): boolean {
  return failures.length === 0 && done === items.length;
}

function summaryOf({ state, done, items, failures }: BulkRun): string {
  const failed = failures.length === 0 ? "" : `, ${failures.length} failed`;
  if (state !== "over") return `${done} of ${items.length}${failed}`;
  const untried = items.length - done;
  const rest = untried === 0 ? "" : `, ${untried} not tried`;
  return `${done - failures.length} done${failed}${rest}. The remaining rows stay selected.`;
}
