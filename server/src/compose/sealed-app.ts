import type { Logos } from "#api/logos/logos";
import { closePort, openPort } from "#lib/open-port";
import type { Databases } from "#storage/database";
import type { App, World } from "./app-shape.ts";
import { listenerFor } from "./listener-for.ts";

/** SEC-7: with a wrong key file, the process serves and changes nothing, but stays up to report it. */
export function sealedApp({ config, logger }: World, databases: Databases, logos: Logos, reason: string): App {
  logger.error(reason);
  let draining = false;
  const listener = listenerFor(config, {
    gateway: undefined,
    api: (_request, response) => {
      response.writeHead(503, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: "Not ready" }));
    },
    logos,
    isDraining: () => draining,
    isOverloaded: () => false,
    notReadyBecause: () => "the key file does not match the database",
    degradedBecause: () => undefined,
  });
  return {
    adminTokenFile: undefined,
    setupToken: undefined,
    sealedBecause: reason,
    listen: () => openPort(listener, config),
    listenForMetrics: async () => undefined,
    drain() {
      draining = true;
    },
    async close() {
      await closePort(listener, async () => {});
      await databases.close();
    },
  };
}
