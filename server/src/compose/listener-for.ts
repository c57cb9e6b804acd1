import type { Server } from "node:http";
import { type Config, isLoopback } from "#config/config";
import { createListener, type Rooms } from "./listener.ts";

/** The listener, with the hosts and origins that the settings make ours. */
export function listenerFor(config: Config, rooms: Rooms): Server {
  const own = [config.baseUrl, config.gatewayUrl].map((address) => new URL(address));
  const hosts = new Set([...own.map((url) => url.hostname), config.host, "localhost", "127.0.0.1", "[::1]"]);
  return createListener(rooms, {
    hosts: isLoopback(config.host) ? hosts : undefined,
    origins: new Set(own.map((url) => url.origin)),
  });
}
