import type { Logos } from "#api/logos/logos";
import { ClosedConnections } from "#lib/closed-connections";
import { closePort, openPort, openSocket } from "#lib/open-port";
import type { Databases } from "#storage/database";
import type { App, World } from "./app-shape.ts";
import type { RequestHandlers } from "./listener.ts";
import { listenerFor } from "./listener-for.ts";

/** SEC-7: with a wrong key file, the process serves and changes nothing, but stays up to report it. */
export function sealedApp({ config, logger, clock }: World, databases: Databases, logos: Logos, reason: string): App {
  logger.error(reason);
  let draining = false;
  const handlers: RequestHandlers = {
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
  };
  const connections = { observe: () => {}, closed: new ClosedConnections(clock, logger) };
  const listener = listenerFor(config, handlers, connections);
  const forwarded = listenerFor(config, handlers, connections);
  return {
    adminTokenFile: undefined,
    setupToken: undefined,
    sealedBecause: reason,
    listen: () => openPort(listener, config),
    listenForMetrics: async () => undefined,
    drain() {
      draining = true;
    },
    retire() {
      draining = true;
    },
    join: (worker) =>
      worker.join({
        apply: async () => {},
        storeCalls: async () => {},
        metrics: () => "",
        counted() {},
        gone() {},
      }),
    listenForForwarded: (path) => openSocket(forwarded, path),
    async close() {
      await Promise.all([closePort(listener, async () => {}), closePort(forwarded, async () => {})]);
      await databases.close();
    },
  };
}
