import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { DialogActions } from "./dialog-actions.tsx";
import { ErrorNote } from "./error-state.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmDialogProps {
  readonly opened: boolean;
  /** A question: "Disable Ada?" */
  readonly title: string;
  /** The consequences. */
  readonly children: ReactNode;
  /** The label of the button, which repeats the verb: "Disable user" */
  readonly action: string;
  readonly isDestructive?: boolean;
  readonly isWorking: boolean;
  readonly error: unknown;
  onConfirm(): void;
  onClose(): void;
}

/** Confirms an action that can be repeated or reversed. `ConfirmByName` is for actions that cannot be undone. */
export function ConfirmDialog({ opened, title, isWorking, onClose, ...rest }: ConfirmDialogProps) {
  const { children, action, isDestructive = false, error, onConfirm } = rest;
  return (
    <FormDialog opened={opened} onClose={onClose} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (!isWorking) onConfirm();
        }}
      >
        <Stack gap="md">
          <Text size="sm" component="div">
            {children}
          </Text>
          <ErrorNote error={error} />
          <DialogActions onCancel={onClose} isWorking={isWorking} isDestructive={isDestructive} hasFocus>
            {action}
          </DialogActions>
        </Stack>
      </form>
    </FormDialog>
  );
}
