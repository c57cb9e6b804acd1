import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/client.ts";

/** How far an installation has come on its way to the first call. */
export interface Progress {
  readonly server: boolean;
  readonly group: boolean;
  readonly machine: boolean;
  readonly call: boolean;
}

const AGAIN_MS = 3_000;

/** Asked again and again until all of it is done, so that it ticks while somebody works in another window. */
export function firstRunQuery(api: Api) {
  return queryOptions({
    queryKey: ["first-run"],
    queryFn: async ({ signal }): Promise<Progress> => {
      const [servers, groups, machines, calls] = await Promise.all([
        api.listMcpServers({ query: { limit: 1 }, signal }),
        api.listGroups({ query: { limit: 200 }, signal }),
        api.listUsers({ query: { type: "machine", limit: 1 }, signal }),
        api.listLogs({ query: { limit: 1 }, signal }),
      ]);
      return {
        server: servers.data.length > 0,
        group: groups.data.some((group) => group.users_count > 0 && group.integrations_count > 0),
        machine: machines.data.length > 0,
        call: calls.data.length > 0,
      };
    },
    refetchInterval: ({ state }) => (state.data && Object.values(state.data).every(Boolean) ? false : AGAIN_MS),
  });
}
