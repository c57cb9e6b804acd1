import { queryOptions } from "@tanstack/react-query";
import type { Api } from "../../api/client.ts";

/** The state of the setup checklist. */
export interface Progress {
  /** The slugs on the first page of the list. */
  readonly servers: readonly string[];
  /** A group that has servers and members. */
  readonly group: string | undefined;
  readonly hasMachine: boolean;
  readonly callId: string | undefined;
}

const REFRESH_MS = 2_000;

export const firstRunKey = ["first-run"] as const;

/** Polls until the checklist is complete, so that it also updates for changes in other windows. */
export function firstRunQuery(api: Api) {
  return queryOptions({
    queryKey: firstRunKey,
    queryFn: async ({ signal }): Promise<Progress> => {
      const [servers, groups, machines, calls] = await Promise.all([
        api.listMcpServers({ query: { limit: 100, fields: "slug" }, signal }),
        api.listGroups({ query: { limit: 200 }, signal }),
        api.listUsers({ query: { type: "machine", limit: 1 }, signal }),
        api.listLogs({ query: { kind: "calls", limit: 1 }, signal }),
      ]);
      return {
        servers: servers.data.flatMap(({ slug }) => slug ?? []),
        group: groups.data.find((group) => group.users_count > 0 && group.integrations_count > 0)?.name,
        hasMachine: machines.data.length > 0,
        callId: calls.data[0]?.id,
      };
    },
    refetchInterval: ({ state }) => (state.data && stepsOf(state.data).every(Boolean) ? false : REFRESH_MS),
  });
}

/** Whether each step is done, in order. */
export function stepsOf({ servers, group, hasMachine, callId }: Progress): readonly boolean[] {
  return [servers.length > 0, group !== undefined, hasMachine, callId !== undefined];
}
