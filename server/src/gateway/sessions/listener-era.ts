import type { Era, ServerEntry } from "../snapshot/shape.ts";

/**
 * The era in which to listen to a server: the preferred one if the server speaks it. Undefined if the eras are unknown.
 * HTTP+SSE and stdio have no choice of era.
 */
export function listeningEra({ upstream }: ServerEntry, preferred: Era): Era | undefined {
  if (upstream?.transport === "sse" || upstream?.transport === "stdio") return "legacy";
  return upstream?.eras.includes(preferred) ? preferred : upstream?.eras[0];
}
