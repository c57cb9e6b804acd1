import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyDone } from "../../components/notify.tsx";
import { issuersKey } from "./issuers.ts";

export function useSaveIssuer(slug: string) {
  const api = useApi();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: Schemas["UpdateExchangeProvider"]) => api.updateExchangeProvider({ query: { slug }, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: issuersKey });
      notifyDone();
    },
  });
}
