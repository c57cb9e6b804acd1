import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";
import { type Webhook, webhooksKey } from "./webhooks.ts";

/** Webhooks that were disabled automatically, because their receiver fails. */
export function useDisabledWebhooks(): readonly Webhook[] {
  const api = useApi();
  const { data } = useQuery({
    queryKey: [...webhooksKey, "disabled"],
    queryFn: ({ signal }) => api.listWebhooks({ query: { limit: 200 }, signal }),
    refetchInterval: 60_000,
  });
  return (data?.data ?? []).filter((webhook) => webhook.disabled_reason !== null);
}
