import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Api } from "../../api/client.ts";
import { useApi } from "../../api/context.tsx";
import { notifyFailure, notifyWithUndo } from "../../components/notify.tsx";
import type { Pickable } from "../../components/pick.tsx";
import { accessKey } from "../access/access.ts";
import { serversKey } from "../mcp-servers/servers.ts";
import { usersKey } from "../users/users.ts";
import { groupsKey } from "./groups.ts";

/** Changes the members and servers of groups, and refreshes every list that shows them. */
export function useMembership() {
  const api = useApi();
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all(
      [groupsKey, usersKey, serversKey, accessKey].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
  /** Returns how many were not members before. */
  const addUsers = async (group: string, emails: readonly string[]): Promise<number> => {
    const before = await api.getGroup({ path: { name: group } });
    await api.addUsersToGroup({ path: { name: group }, body: { emails: [...emails] } });
    const after = await api.getGroup({ path: { name: group } });
    await refresh();
    return Math.max(0, after.data.users_count - before.data.users_count);
  };
  /** Returns how many were not in the group before. */
  const addServers = async (group: string, slugs: readonly string[]): Promise<number> => {
    const before = await api.getGroup({ path: { name: group } });
    await api.addIntegrationsToGroup({ path: { name: group }, body: { slugs: [...slugs] } });
    const after = await api.getGroup({ path: { name: group } });
    await refresh();
    return Math.max(0, after.data.integrations_count - before.data.integrations_count);
  };
  const removeUser = useMutation({
    mutationFn: ({ group, email }: { group: string; email: string; name: string }) =>
      api.removeUserFromGroup({ path: { name: group }, query: { email } }),
    onSuccess: async (_response, { group, email, name }) => {
      notifyWithUndo(`Removed ${name} from ${group}`, () => addUsers(group, [email]));
      await refresh();
    },
    onError: notifyFailure,
  });
  const removeServer = useMutation({
    mutationFn: async ({ group, slug }: { group: string; slug: string; name: string }) => {
      const { data } = await api.listGrants({ query: { group, server: slug } });
      await api.removeIntegrationFromGroup({ path: { name: group }, query: { slug } });
      return data[0];
    },
    onSuccess: async (before, { group, slug, name }) => {
      notifyWithUndo(`Removed ${name} from ${group}`, async () => {
        await addServers(group, [slug]);
        // The selection of tools ended with the removal.
        if (!before || before.tools === null) return;
        const body = { tools: before.tools, new_tools: before.new_tools };
        await api.updateGroupIntegration({ path: { name: group }, query: { slug }, body });
        await refresh();
      });
      await refresh();
    },
    onError: notifyFailure,
  });
  return { addUsers, addServers, removeUser, removeServer, refresh };
}

/** For a user that was just created. Reports failures without throwing, so that a new access key is still shown. */
export async function joinGroups(api: Api, email: string, groups: readonly Pickable[]): Promise<void> {
  const joining = groups.map(({ value }) => api.addUsersToGroup({ path: { name: value }, body: { emails: [email] } }));
  for (const outcome of await Promise.allSettled(joining)) {
    if (outcome.status === "rejected") notifyFailure(outcome.reason);
  }
}
