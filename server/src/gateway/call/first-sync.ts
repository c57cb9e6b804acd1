import type { ServerEntry } from "../snapshot/shape.ts";

/** How long a call waits for the first sync of a new server. */
export const FIRST_SYNC_WAIT_MS = 2_000;

export function canSync(server: ServerEntry): boolean {
  return server.upstream !== undefined;
}
