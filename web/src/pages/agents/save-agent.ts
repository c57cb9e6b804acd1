import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { agentsKey } from "./agents.ts";

/** Saves some fields of an agent. */
export function useSaveAgent(slug: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateBackgroundAgent"]) => api.updateBackgroundAgent({ query: { slug }, body }),
    onSuccess: async () => {
      notifyDone("Saved");
      await queries.invalidateQueries({ queryKey: agentsKey });
    },
  });
}
