import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { serverQuery, serversKey } from "./servers.ts";

/** Changes to a server that several pages offer. */
export function useServerChanges({ slug, name }: { readonly slug: string; readonly name: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: serversKey });
  /** Refreshes everything except the server itself, because its slug no longer exists. */
  const leave = async () => {
    const own = serverQuery(api, slug).queryKey;
    await queries.invalidateQueries({ queryKey: serversKey, predicate: ({ queryKey }) => queryKey[1] !== own[1] });
    queries.removeQueries({ queryKey: own, type: "inactive" });
  };
  const sync = useMutation({
    mutationFn: () => api.syncMcpServer({ path: { slug } }),
    onSuccess: async ({ data }) => {
      await refresh();
      showSyncResult(name, data.sync_error, data.tools_count);
    },
    onError: notifyFailure,
  });
  const setStatus = useMutation({
    mutationFn: (status: "active" | "draft") => api.updateMcpServer({ query: { slug }, body: { status } }),
    onSuccess: refresh,
    onError: notifyFailure,
  });
  const remove = useMutation({ mutationFn: () => api.deleteMcpServer({ query: { slug } }), onSuccess: leave });
  /** For forms, which show errors themselves. Returns the current slug. */
  const update = async (body: Schemas["UpdateMcpServer"]): Promise<string> => {
    const { data } = await api.updateMcpServer({ query: { slug }, body });
    await (data.slug === slug ? refresh() : leave());
    return data.slug;
  };
  return { sync, setStatus, remove, update, refresh };
}

export function showSyncResult(name: string, syncError: string | null, toolsCount: number): void {
  if (syncError !== null) notifications.show({ color: "red", title: `Could not sync ${name}`, message: syncError });
  else
    notifications.show({
      title: `Synced ${name}`,
      message: `${toolsCount} enabled ${toolsCount === 1 ? "tool" : "tools"}`,
    });
}
