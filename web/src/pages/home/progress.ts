import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/client.ts";

/** How far an installation has come on its way to the first call. */
export interface Progress {
  /** Their slugs, as many as one page of the list holds. */
  readonly servers: readonly string[];
  /** One that has servers and somebody in it. */
  readonly group: string | undefined;
  readonly hasMachine: boolean;
  readonly callId: string | undefined;
}

const AGAIN_MS = 2_000;

export const firstRunKey = ["first-run"] as const;

/** Asked again and again until all of it is done, so that it ticks while somebody works in another window. */
export function firstRunQuery(api: Api) {
  return queryOptions({
    queryKey: firstRunKey,
    queryFn: async ({ signal }): Promise<Progress> => {
      const [servers, groups, machines, calls] = await Promise.all([
        api.listMcpServers({ query: { limit: 100, fields: "slug" }, signal }),
        api.listGroups({ query: { limit: 200 }, signal }),
        api.listUsers({ query: { type: "machine", limit: 1 }, signal }),
        api.listLogs({ query: { limit: 1 }, signal }),
      ]);
      return {
        servers: servers.data.flatMap(({ slug }) => slug ?? []),
        group: groups.data.find((group) => group.users_count > 0 && group.integrations_count > 0)?.name,
        hasMachine: machines.data.length > 0,
        callId: calls.data[0]?.id,
      };
    },
    refetchInterval: ({ state }) => (state.data && stepsOf(state.data).every(Boolean) ? false : AGAIN_MS),
  });
}

/** Whether each is done, in the order in which they are taken. */
export function stepsOf({ servers, group, hasMachine, callId }: Progress): readonly boolean[] {
  return [servers.length > 0, group !== undefined, hasMachine, callId !== undefined];
}
