import { Select, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useApi } from "../../api/context.tsx";
import { DialogActions } from "../../components/dialog-actions.tsx";
import { ErrorNote } from "../../components/error-state.tsx";
import { FormDialog } from "../../components/form-dialog.tsx";
import { type Webhook, webhooksKey } from "./webhooks.ts";

const OVERLAPS = [
  { value: "0", label: "Immediately" },
  { value: "1", label: "After 1 hour" },
  { value: "24", label: "After 1 day" },
  { value: "168", label: "After 7 days" },
] as const;

interface RotateSecretProps {
  readonly webhook: Webhook;
  readonly opened: boolean;
  onClose(): void;
  onRotated(secret: string | undefined): void;
}

export function RotateSecret({ opened, ...rest }: RotateSecretProps) {
  return (
    <FormDialog opened={opened} onClose={rest.onClose} title={`Rotate the secret of ${rest.webhook.name}?`}>
      {opened && <RotateForm {...rest} />}
    </FormDialog>
  );
}

function RotateForm({ webhook: { id }, onClose, onRotated }: Omit<RotateSecretProps, "opened">) {
  const api = useApi();
  const queries = useQueryClient();
  const [overlap, setOverlap] = useState<string>("24");
  const rotate = useMutation({
    mutationFn: () => api.rotateWebhookSecret({ path: { id }, body: { overlap_hours: Number(overlap) } }),
    onSuccess: async ({ secret }) => {
      onClose();
      onRotated(secret);
      await queries.invalidateQueries({ queryKey: webhooksKey });
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
          Creates a new secret. Until the old one expires, each request is signed with both, so that you can update the
          receiver without rejecting events.
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
            Receivers that verify with the old secret reject events until you give them the new one.
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
