import type { ServerEntry } from "../snapshot/shape.ts";

/** How long a caller waits for the first reading of a server that was just created. */
export const FIRST_SYNC_WAIT_MS = 2_000;

/** Without anyone's credential, only a server that asks for none can be read. */
export function canBeRead(server: ServerEntry): boolean {
  return server.upstream?.authType === "none";
}
