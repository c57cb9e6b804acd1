import type { Channel } from "./channel.ts";
import { ChannelConnection } from "./channel-connection.ts";
import type { Endpoint } from "./endpoint.ts";
import type { LocalServers } from "./local-servers.ts";
import type { Transport, UpstreamConnection } from "./transport.ts";

/** The stdio transport: one local process per server, shared by all callers. The handshake of the process decides the era. */
export class Stdio implements Transport {
  readonly label = "stdio";
  readonly isSharedByCallers = true;
  readonly isConnectionBound = true;
  readonly sessionIdleMs = 10 * 60 * 1000;
  readonly #localServers: LocalServers;
  readonly #connections = new WeakMap<Channel, UpstreamConnection>();

  constructor(localServers: LocalServers) {
    this.#localServers = localServers;
  }

  async open({ url, clock }: Endpoint): Promise<UpstreamConnection> {
    const channel = await this.#localServers.open(url);
    const known = this.#connections.get(channel);
    if (known) return known;
    const connection = new ChannelConnection(this, channel, clock, this.#localServers.nextId);
    this.#connections.set(channel, connection);
    return connection;
  }
}
