import type { ServerResponse } from "node:http";

/** How long a caller may read nothing of a response that waits for it. */
const MAX_STALL_MS = 60_000;

/** GW-10: a caller that stops reading must not hold the memory of its response. */
export function disconnectStalledReader(response: ServerResponse): void {
  response.setTimeout(MAX_STALL_MS, () => {
    if (response.writableLength > 0) response.destroy();
  });
}
