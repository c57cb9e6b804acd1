import { notifications } from "@mantine/notifications";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyFailure } from "../../components/notify.tsx";
import { serverQuery, serversKey } from "./servers.ts";

/** What admins do to a server from more than one place. */
export function useServerChanges({ slug, name }: { readonly slug: string; readonly name: string }) {
  const api = useApi();
  const queries = useQueryClient();
  const refresh = () => queries.invalidateQueries({ queryKey: serversKey });
  /** All but the server itself, which nobody will find by this slug any more. */
  const leave = async () => {
    const own = serverQuery(api, slug).queryKey;
    await queries.invalidateQueries({ queryKey: serversKey, predicate: ({ queryKey }) => queryKey[1] !== own[1] });
    queries.removeQueries({ queryKey: own, type: "inactive" });
  };
  const sync = useMutation({
    mutationFn: () => api.syncMcpServer({ path: { slug } }),
    onSuccess: async ({ data }) => {
      await refresh();
      tellSync(name, data.sync_error, data.tools_count);
    },
    onError: notifyFailure,
  });
  const setStatus = useMutation({
    mutationFn: (status: "active" | "draft") => api.updateMcpServer({ query: { slug }, body: { status } }),
    onSuccess: refresh,
    onError: notifyFailure,
  });
  const remove = useMutation({ mutationFn: () => api.deleteMcpServer({ query: { slug } }), onSuccess: leave });
  /** For forms, which show themselves what was refused. Answers the slug that the server has now. */
  const update = async (body: Schemas["UpdateMcpServer"]): Promise<string> => {
    const { data } = await api.updateMcpServer({ query: { slug }, body });
    await (data.slug === slug ? refresh() : leave());
    return data.slug;
  };
  return { sync, setStatus, remove, update, refresh };
}

function tellSync(name: string, fault: string | null, toolsCount: number): void {
  if (fault !== null) notifications.show({ color: "red", title: `${name} could not be read`, message: fault });
  else notifications.show({ title: `${name} was read`, message: `${toolsCount} tools are enabled.` });
}
