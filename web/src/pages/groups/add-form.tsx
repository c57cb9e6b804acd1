import { Button, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { notifyDone } from "../../components/notify.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { addedText } from "./added-text.ts";

interface Picking {
  readonly picked: readonly Pickable[];
  onPick(picked: readonly Pickable[]): void;
}

interface AddFormProps {
  /** "member" */
  readonly noun: string;
  pick(picking: Picking): ReactNode;
  /** Returns how many were added. The others were in the group already. */
  submit(values: readonly string[]): Promise<number>;
  /** The values that do not exist, according to the error. */
  unknownIn?(error: Error): readonly string[];
  onClose(): void;
}

/** Picks several values and adds them in one request. */
export function AddForm({ noun, pick, submit, unknownIn, onClose }: AddFormProps) {
  const [picked, setPicked] = useState<readonly Pickable[]>([]);
  const add = useMutation({
    mutationFn: () => submit(picked.map(({ value }) => value)),
    onSuccess: (added) => {
      notifyDone(addedText(noun, added, picked.length - added));
      onClose();
    },
  });
  const unknown = (add.error && unknownIn?.(add.error)) ?? [];
  const removeUnknown = () => {
    setPicked(picked.filter(({ value }) => !unknown.includes(value)));
    add.reset();
  };
  const many = picked.length > 1 ? `${picked.length} ${noun}s` : noun;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (picked.length > 0 && !add.isPending) add.mutate();
      }}
    >
      <Stack gap="md">
        {pick({ picked, onPick: setPicked })}
        <ErrorNote error={add.error} />
        {unknown.length > 0 && (
          <Button variant="default" onClick={removeUnknown}>
            {unknown.length === 1 ? `Remove ${unknown[0]}` : `Remove ${unknown.length} unknown users`}
          </Button>
        )}
        <DialogActions
          onCancel={onClose}
          isWorking={add.isPending}
          isDisabled={picked.length === 0}
        >{`Add ${many}`}</DialogActions>
      </Stack>
    </form>
  );
}
