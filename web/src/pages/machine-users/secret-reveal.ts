import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";

/** Whether this organization stores encrypted copies of secrets, so that they can be revealed. True while loading. */
export function useSecretRevealEnabled(): boolean {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["settings", "machine_secret_reveal"],
    queryFn: async ({ signal }) => (await api.getSettings({ signal })).data.machine_secret_reveal,
    staleTime: 60_000,
  });
  return data ?? true;
}
