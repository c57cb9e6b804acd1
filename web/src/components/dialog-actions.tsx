import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { useDialogWork } from "./form-dialog.tsx";

interface DialogActionsProps {
  /** The label of the button that submits the form. */
  readonly children: ReactNode;
  readonly onCancel: () => void;
  readonly isWorking?: boolean;
  readonly isDisabled?: boolean;
  /** For an action that destroys something. */
  readonly isDestructive?: boolean;
  /** The submit button gets the focus when the dialog opens. */
  readonly hasFocus?: boolean;
}

/** The last row of a dialog's form: Cancel, and the button that submits it. */
export function DialogActions(props: DialogActionsProps) {
  const { children, onCancel, isWorking = false, isDisabled = false, isDestructive, hasFocus } = props;
  useDialogWork(isWorking);
  return (
    <Group justify="flex-end" gap="xs" ml="auto">
      <Button variant="default" onClick={onCancel} disabled={isWorking}>
        Cancel
      </Button>
      <Button
        type="submit"
        loading={isWorking}
        disabled={isDisabled}
        {...(isDestructive ? { color: "red" } : {})}
        {...(hasFocus ? { "data-autofocus": true } : {})}
      >
        {children}
      </Button>
    </Group>
  );
}
