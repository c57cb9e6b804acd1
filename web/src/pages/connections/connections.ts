import { useQueryClient } from "@tanstack/react-query";
import type { Api, Schemas } from "../../api/client.ts";
import { openPopup, usePopupOutcome } from "../../api/popup.ts";
import type { Tone } from "../../components/note.tsx";

export type MyServer = Schemas["UserMcpServer"];
export type State = MyServer["connection"]["status"];

export const connectionsKey = ["connections"] as const;

export const STATES: Readonly<Record<State, { readonly tone: Tone; readonly label: string }>> = {
  connected: { tone: "good", label: "Connected" },
  not_connected: { tone: "warn", label: "Not connected" },
  reconnect_needed: { tone: "bad", label: "Needs reconnection" },
  not_required: { tone: "quiet", label: "Ready" },
};

/** A person has few servers, so all are loaded, and searched and sorted here. */
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

export function needsUser({ connection }: MyServer): boolean {
  return connection.status === "not_connected" || connection.status === "reconnect_needed";
}

/** Reloads the connections when one was made in another window. */
export function useConnectedElsewhere(): void {
  const queries = useQueryClient();
  usePopupOutcome(() => void queries.invalidateQueries({ queryKey: connectionsKey }));
}

/** Opens the sign-in of the server in a popup, or in this window if the browser blocks popups. */
export function openSignIn({ connect_url: connectUrl }: MyServer, of: string | undefined): void {
  const { pathname } = new URL(connectUrl, window.location.origin);
  const pathFor = (view: string | undefined) => {
    const query = new URLSearchParams({ ...(of === undefined ? {} : { for: of }), ...(view ? { view } : {}) });
    return `${pathname}/start${query.size > 0 ? `?${query}` : ""}`;
  };
  openPopup({ popup: pathFor("popup"), here: pathFor(undefined) });
}
