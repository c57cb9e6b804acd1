import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { type Toolkit, toolkitQuery, toolkitsKey } from "./toolkits.ts";

/** Saves some fields of a toolkit. */
export function useSaveToolkit({ slug }: Toolkit) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateToolkit"]) => api.updateToolkit({ query: { slug }, body }),
    onSuccess: async ({ data }) => {
      queries.setQueryData(toolkitQuery(api, slug).queryKey, data);
      notifyDone("Saved");
      await queries.invalidateQueries({ queryKey: toolkitsKey });
    },
  });
}
