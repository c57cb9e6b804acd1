import { useQueryClient } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { openPopup, usePopupOutcome } from "../../api/popup.ts";
import type { Tone } from "../../components/note.tsx";

export type MyServer = Schemas["UserMcpServer"];
export type State = MyServer["connection"]["status"];

export const connectionsKey = ["connections"] as const;

export const STATES: Readonly<Record<State, { readonly tone: Tone; readonly label: string }>> = {
  connected: { tone: "good", label: "Connected" },
  not_connected: { tone: "warn", label: "Needs connection" },
  reconnect_needed: { tone: "bad", label: "Connect again" },
  not_required: { tone: "quiet", label: "Ready" },
};

/** The servers of a person are few enough to be read as a whole, so they can be searched and sorted here. */
export async function fetchMyServers(api: Api, of: string | undefined, signal: AbortSignal): Promise<MyServer[]> {
  const servers: MyServer[] = [];
  for (let cursor = 0; ; ) {
    const { data, pagination } = await api.listMyMcpServers({ query: { for: of, cursor, limit: 200 }, signal });
    servers.push(...data);
    if (!pagination.hasMore) return servers.sort(byUrgency);
    cursor += data.length;
  }
}

const URGENCY: readonly State[] = ["reconnect_needed", "not_connected", "connected", "not_required"];

function byUrgency(a: MyServer, b: MyServer): number {
  const rank = ({ connection }: MyServer) => URGENCY.indexOf(connection.status);
  return rank(a) - rank(b) || a.name.localeCompare(b.name, "en");
}

export function isWaiting({ connection }: MyServer): boolean {
  return connection.status === "not_connected" || connection.status === "reconnect_needed";
}

/** Asks again for everything of the connections when one was made in another window. */
export function useMadeElsewhere(): void {
  const queries = useQueryClient();
  usePopupOutcome(() => void queries.invalidateQueries({ queryKey: connectionsKey }));
}

/** Opens the sign-in of the server in a window of its own, or in this one where the browser allows no other. */
export function signInElsewhere({ connect_url: connectUrl }: MyServer, of: string | undefined): void {
  const { pathname } = new URL(connectUrl, window.location.origin);
  const address = (view: string | undefined) => {
    const query = new URLSearchParams({ ...(of === undefined ? {} : { for: of }), ...(view ? { view } : {}) });
    return `${pathname}/start${query.size > 0 ? `?${query}` : ""}`;
  };
  openPopup({ popup: address("popup"), here: address(undefined) });
}
