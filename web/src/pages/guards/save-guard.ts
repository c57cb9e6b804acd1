import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { guardsKey } from "./guards.ts";

/** Saves some fields of a guard; they apply to the next call. */
export function useSaveGuard(slug: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateGuard"]) => api.updateGuard({ query: { slug }, body }),
    onSuccess: async () => {
      notifyDone("Saved");
      await Promise.all(["list", "one"].map((part) => queries.invalidateQueries({ queryKey: [...guardsKey, part] })));
    },
  });
}
