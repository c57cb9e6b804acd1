import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { destinationsKey, type LogDestination } from "./log-destinations.ts";

/** The actions of a log destination that need no dialog. */
export function useDestinationChanges({ id, name }: Pick<LogDestination, "id" | "name">) {
  const api = useApi();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: destinationsKey });
  const test = useMutation({
    mutationFn: async () => (await api.testLogDestination({ path: { id } })).data,
    onSuccess: async ({ delivered, error, warning }) => {
      if (delivered) notifications.show({ message: warning ?? `${name} accepted the test record` });
      else {
        const message = error ?? "Check the destination, then send it again.";
        notifications.show({ color: "red", title: "The test record was not delivered", message });
      }
      await refresh();
    },
    onError: notifyFailure,
  });
  const setEnabled = useMutation({
    mutationFn: (enabled: boolean) => api.updateLogDestination({ query: { id }, body: { enabled } }),
    onSuccess: refresh,
    onError: notifyFailure,
  });
  return { test, setEnabled };
}
