import { Modal, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { type User, usersKey } from "../users/users.ts";
import type { IssuedKey } from "./key-once.tsx";

const OVERLAPS = [
  { value: "0", label: "At once" },
  { value: "900", label: "After 15 minutes" },
  { value: "3600", label: "After an hour" },
  { value: "86400", label: "After a day" },
  { value: "604800", label: "After 7 days" },
] as const;

interface RotateDialogProps {
  readonly user: Pick<User, "email" | "name" | "slug">;
  readonly opened: boolean;
  onClose(): void;
  onIssued(key: IssuedKey): void;
}

export function RotateDialog({ opened, ...rest }: RotateDialogProps) {
  return (
    <Modal opened={opened} onClose={rest.onClose} title={`Rotate the secret of ${rest.user.name}`}>
      {opened && <RotateForm {...rest} />}
    </Modal>
  );
}

function RotateForm({ user, onClose, onIssued }: Omit<RotateDialogProps, "opened">) {
  const api = useApi();
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState<string>("3600");
  const rotate = useMutation({
    mutationFn: async () => {
      const answer = await api.rotateUserSecret({
        query: { email: user.email },
        body: { overlap_seconds: Number(overlap) },
      });
      if (answer.credentials) onIssued({ name: user.name, slug: user.slug ?? "", credentials: answer.credentials });
    },
    onSuccess: async () => {
      onClose();
      await queries.invalidateQueries({ queryKey: usersKey });
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        rotate.mutate();
      }}
    >
      <Stack gap="md">
        <Text size="sm">It gets a new secret; the access key stays. Both secrets work until the old one ends.</Text>
        <Select
          label="The old secret ends"
          data={OVERLAPS.map((choice) => ({ ...choice }))}
          value={overlap}
          onChange={(chosen) => chosen !== null && setOverlap(chosen)}
          allowDeselect={false}
          data-autofocus
        />
        {overlap === "0" && (
          <Text size="sm" c="var(--gh-warn)">
            Programs that use the old secret are refused until they have the new one.
          </Text>
        )}
        <ErrorNote error={rotate.error} />
        <DialogActions onCancel={onClose} isWorking={rotate.isPending}>
          Rotate secret
        </DialogActions>
      </Stack>
    </form>
  );
}
