import { useQuery } from "@tanstack/react-query";
import { useApi } from "../../api/context.tsx";

/** Whether this installation keeps sealed copies of secrets, so that they can be revealed; true until that is known. */
export function useSecretsKept(): boolean {
  const api = useApi();
  const { data } = useQuery({
    queryKey: ["settings", "machine_secret_reveal"],
    queryFn: async ({ signal }) => (await api.getSettings({ signal })).data.machine_secret_reveal,
    staleTime: 60_000,
  });
  return data ?? true;
}
