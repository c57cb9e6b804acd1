import type { Server } from "node:http";
import { type Config, isLoopback } from "#config/config";
import { createListener, type ListenerOptions, type RequestHandlers } from "./listener.ts";

/** Creates the listener with the hosts and origins from the settings. */
export function listenerFor(
  config: Config,
  handlers: RequestHandlers,
  { observe, closed }: Pick<ListenerOptions, "observe" | "closed">,
): Server {
  const own = [config.baseUrl, config.gatewayUrl].map((address) => new URL(address));
  const hosts = new Set([...own.map((url) => url.hostname), config.host, "localhost", "127.0.0.1", "[::1]"]);
  return createListener(handlers, {
    hosts: isLoopback(config.host) ? hosts : undefined,
    origins: new Set(own.map((url) => url.origin)),
    observe,
    closed,
    connections: { perAddress: config.connectionsPerAddress, exempt: config.trustedProxies },
  });
}
