import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { commandsKey } from "./commands.ts";

/** Saves some fields of a command. */
export function useSaveCommand({ slug }: { readonly slug: string }) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateCommand"]) => api.updateCommand({ query: { slug }, body }),
    onSuccess: async ({ data, warnings = [] }) => {
      notifyDone(warnings.length === 0 ? "Saved" : `Saved, with warnings. ${warnings.join(". ")}`);
      const isRenamed = data.slug !== slug;
      // Nothing has the old slug anymore; the page leaves it.
      const isOld = (key: readonly unknown[]) => isRenamed && key[1] === "one" && key[2] === slug;
      await queries.invalidateQueries({ queryKey: commandsKey, predicate: ({ queryKey }) => !isOld(queryKey) });
    },
  });
}
