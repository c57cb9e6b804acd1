import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { type DeliveryDetail, type Webhook, webhooksKey } from "./webhooks.ts";

/** The actions of a webhook that need no dialog. */
export function useWebhookChanges({ id, name }: Pick<Webhook, "id" | "name">) {
  const api = useApi();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: webhooksKey });
  const test = useMutation({
    mutationFn: async () => (await api.testWebhook({ path: { id } })).data,
    onSuccess: async (delivery) => {
      notifyResult(name, delivery);
      await refresh();
    },
    onError: notifyFailure,
  });
  const setEnabled = useMutation({
    mutationFn: (enabled: boolean) => api.updateWebhook({ query: { id }, body: { enabled } }),
    onSuccess: refresh,
    onError: notifyFailure,
  });
  return { test, setEnabled };
}

function notifyResult(name: string, { status, error, attempt_log: attempts }: DeliveryDetail): void {
  const [attempt] = attempts;
  if (status === "delivered") {
    notifications.show({
      message: `${name} accepted the test event (${attempt?.response_status ?? ""}, ${attempt?.duration_ms ?? 0} ms)`,
    });
  } else {
    notifications.show({
      color: "red",
      title: "The test event was not delivered",
      message: error ?? "Check the URL, then send it again.",
    });
  }
}
