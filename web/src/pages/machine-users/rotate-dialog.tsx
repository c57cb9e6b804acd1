import { Select, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { type User, usersKey } from "../users/users.ts";
import type { IssuedKey } from "./new-access-key.tsx";

const OVERLAPS = [
  { value: "0", label: "Immediately" },
  { value: "900", label: "After 15 minutes" },
  { value: "3600", label: "After 1 hour" },
  { value: "86400", label: "After 1 day" },
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
    <FormDialog opened={opened} onClose={rest.onClose} title={`Rotate the secret of ${rest.user.name}?`}>
      {opened && <RotateForm {...rest} />}
    </FormDialog>
  );
}

function RotateForm({ user, onClose, onIssued }: Omit<RotateDialogProps, "opened">) {
  const api = useApi();
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState<string>("3600");
  const rotate = useMutation({
    mutationFn: async () => {
      const response = await api.rotateUserSecret({
        query: { email: user.email },
        body: { overlap_seconds: Number(overlap) },
      });
      if (response.credentials) onIssued({ name: user.name, slug: user.slug ?? "", credentials: response.credentials });
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
        <Text size="sm">
          Creates a new secret. The access key stays the same. Both secrets work until the old one expires, so that you
          can update clients without an interruption.
        </Text>
        <Select
          label="Old secret expires"
          data={OVERLAPS.map((choice) => ({ ...choice }))}
          value={overlap}
          onChange={(chosen) => chosen !== null && setOverlap(chosen)}
          allowDeselect={false}
          data-autofocus
        />
        {overlap === "0" && (
          <Text size="sm" c="var(--gh-warn)">
            Clients that use the old secret are rejected until you give them the new one.
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
