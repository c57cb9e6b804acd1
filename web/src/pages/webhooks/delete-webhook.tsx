import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { ConfirmByName } from "../../components/confirm-by-name.tsx";
import { type Webhook, webhooksKey } from "./webhooks.ts";

interface DeleteWebhookProps {
  readonly webhook: Webhook;
  readonly opened: boolean;
  onClose(): void;
  onDeleted?(): Promise<void>;
}

export function DeleteWebhook({ webhook, opened, onClose, onDeleted }: DeleteWebhookProps) {
  const api = useApi();
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook({ query: { id: webhook.id } }),
    onSuccess: async () => {
      // Drops the cached list, so that it does not briefly show the deleted webhook.
      if (onDeleted) queries.removeQueries({ queryKey: [...webhooksKey, "list"] });
      await onDeleted?.();
      // Only the lists: the page of the deleted webhook may still be mounted, and its queries would fail.
      await queries.invalidateQueries({ queryKey: [...webhooksKey, "list"] });
      await queries.invalidateQueries({ queryKey: [...webhooksKey, "disabled"] });
    },
  });
  return (
    <ConfirmByName
      opened={opened}
      title={`Delete webhook ${webhook.name}?`}
      name={webhook.name}
      action="Delete webhook"
      isWorking={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      Events are no longer sent to this URL, and the delivery log is deleted. To pause it instead, disable the webhook.
    </ConfirmByName>
  );
}
