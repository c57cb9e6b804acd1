import { Button, CloseButton, Group, Modal, Progress, Stack, Text } from "@mantine/core";
import { type ReactNode, useEffect, useState } from "react";
import type { BulkFailure, BulkRun, BulkRunner } from "./bulk-run.ts";
import { describeFailure } from "./failure.ts";
import "./bulk-progress.css";

/** Below a list while rows are picked out: how many, and what can be done with them. */
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

/** How a run gets on and, when it is over, what failed and why. When all went well it goes away by itself. */
export function BulkProgress({ runner: { run, stop, close } }: { runner: BulkRunner }) {
  const isOver = run?.state === "over";
  const isLong = useIsLong(run !== undefined && !isOver);
  return (
    <Modal
      opened={run !== undefined && (isOver ? !isWell(run) : isLong)}
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
            {wordsFor(run)}
          </Text>
          {run.failures.length > 0 && (
            <ul className="gh-bulk-failures" aria-label="What failed">
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

/** What is over in no time is not worth a dialog that flashes up. */
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
        {requestId !== undefined && ` (request ${requestId})`}
      </Text>
    </li>
  );
}

function isWell({ failures, done, items }: BulkRun): boolean {
  return failures.length === 0 && done === items.length;
}

function wordsFor({ state, done, items, failures }: BulkRun): string {
  const failed = failures.length === 0 ? "" : `, ${failures.length} failed`;
  if (state !== "over") return `${done} of ${items.length}${failed}`;
  const untried = items.length - done;
  const rest = untried === 0 ? "" : `, ${untried} not tried`;
  return `${done - failures.length} done${failed}${rest}. What is not done stays selected.`;
}
