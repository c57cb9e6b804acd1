import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { pluginsKey } from "./plugins.ts";

/** Saves some fields of a plugin. */
export function useSavePlugin({ slug }: { readonly slug: string }) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdatePlugin"]) => api.updatePlugin({ query: { slug }, body }),
    onSuccess: async () => {
      notifyDone("Saved");
      await queries.invalidateQueries({ queryKey: pluginsKey });
    },
  });
}
