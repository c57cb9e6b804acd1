import { Button, Group as Row, Stack } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ErrorNote } from "../../components/error-state.tsx";
import type { Pickable } from "../../components/pick.tsx";

interface Picking {
  readonly picked: readonly Pickable[];
  onPick(picked: readonly Pickable[]): void;
}

interface AddFormProps {
  /** "member" */
  readonly noun: string;
  pick(picking: Picking): ReactNode;
  submit(values: readonly string[]): Promise<void>;
  onClose(): void;
}

/** Picks some and adds them all at once. */
export function AddForm({ noun, pick, submit, onClose }: AddFormProps) {
  const [picked, setPicked] = useState<readonly Pickable[]>([]);
  const add = useMutation({ mutationFn: () => submit(picked.map(({ value }) => value)), onSuccess: onClose });
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
        <Row justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose} disabled={add.isPending}>
            Cancel
          </Button>
          <Button type="submit" disabled={picked.length === 0} loading={add.isPending}>
            {`Add ${many}`}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
