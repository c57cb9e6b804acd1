import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { skillsKey } from "./skills.ts";

/** Saves some fields of a skill. */
export function useSaveSkill({ slug }: { readonly slug: string }) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateSkill"]) => api.updateSkill({ query: { slug }, body }),
    onSuccess: async ({ warnings = [] }) => {
      notifyDone(warnings.length === 0 ? "Saved" : `Saved, with warnings. ${warnings.join(". ")}`);
      await queries.invalidateQueries({ queryKey: skillsKey });
    },
  });
}
