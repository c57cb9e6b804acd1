import { Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DialogActions } from "./dialog-actions.tsx";
import { ErrorNote } from "./error-state.tsx";
import { FormDialog } from "./form-dialog.tsx";

interface ConfirmByNameProps {
  readonly opened: boolean;
  /** "Delete GitHub?" */
  readonly title: string;
  /** The text to type, so that it does not happen by accident. */
  readonly name: string;
  /** The consequences. */
  readonly children: ReactNode;
  /** "Delete server" */
  readonly action: string;
  readonly isWorking: boolean;
  readonly error: unknown;
  onConfirm(): void;
  onClose(): void;
}

/** Confirms an action that cannot be undone by asking for the record's name. */
export function ConfirmByName({ opened, title, onClose, isWorking, ...rest }: ConfirmByNameProps) {
  return (
    <FormDialog opened={opened} onClose={onClose} title={title}>
      {opened && <ConfirmForm {...rest} isWorking={isWorking} onClose={onClose} />}
    </FormDialog>
  );
}

function ConfirmForm(props: Omit<ConfirmByNameProps, "opened" | "title">) {
  const { name, children, action, isWorking, error, onConfirm, onClose } = props;
  const [typed, setTyped] = useState("");
  const matches = typed.trim() === name;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (matches && !isWorking) onConfirm();
      }}
    >
      <Stack gap="md">
        <Text size="sm" component="div">
          {children}
        </Text>
        <TextInput
          label={
            <>
              Type <code className="gh-exact">{name}</code> to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
        <ErrorNote error={error} />
        <DialogActions onCancel={onClose} isWorking={isWorking} isDisabled={!matches} isDestructive>
          {action}
        </DialogActions>
      </Stack>
    </form>
  );
}
