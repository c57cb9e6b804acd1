import { Button, Group, Modal, Text } from "@mantine/core";
import { useBlocker } from "@tanstack/react-router";
import { useEffect } from "react";

interface Place {
  readonly pathname: string;
  readonly search: object;
}

/** Asks before a link or a tab discards unsaved changes. */
export function LeaveDialog({ isEdited }: { isEdited: boolean }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: isLeaving,
    withResolver: true,
    disabled: !isEdited,
    enableBeforeUnload: isEdited,
  });
  useEffect(() => {
    // The changes were saved after the link was clicked.
    if (!isEdited && status === "blocked") proceed();
  }, [isEdited, status, proceed]);
  return (
    <Modal opened={status === "blocked"} onClose={() => reset?.()} title="Discard unsaved changes?">
      <Text size="sm" mb="md">
        You have unsaved changes on this page.
      </Text>
      <Group justify="flex-end" gap="xs">
        <Button variant="default" onClick={() => reset?.()} data-autofocus>
          Keep editing
        </Button>
        <Button color="red" onClick={() => proceed?.()}>
          Discard changes
        </Button>
      </Group>
    </Modal>
  );
}

/** Other search parameters, such as the open file, keep the editor. */
function isLeaving({ current, next }: { readonly current: Place; readonly next: Place }): boolean {
  return current.pathname !== next.pathname || tabOf(current) !== tabOf(next);
}

function tabOf({ search }: Place): unknown {
  return "tab" in search ? search.tab : undefined;
}
