import type { ServerEntry } from "../snapshot/shape.ts";

/** How long a caller waits for the first reading of a server that was just created. */
export const FIRST_SYNC_WAIT_MS = 2_000;

export function canBeRead(server: ServerEntry): boolean {
  return server.upstream !== undefined;
}
