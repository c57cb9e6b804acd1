import type { UpstreamAddress } from "../../session-ports.ts";
import { initializeChannel } from "../handshake/channel-handshake.ts";
import { HANDSHAKE_MS } from "../handshake/handshake.ts";
import { Channel } from "./channel.ts";
import { ChannelConnection } from "./channel-connection.ts";
import type { Endpoint } from "./endpoint.ts";
import { attachSsePipe } from "./sse-pipe.ts";
import { postToAddress } from "./streamable-http.ts";
import type { OpenOptions, Transport, UpstreamConnection } from "./transport.ts";

/** The HTTP+SSE transport of MCP 2024-11-05. It is older than the modern era and carries only the legacy one. */
export class HttpSse implements Transport {
  readonly label = "HTTP+SSE";
  readonly isSharedByCallers = false;
  readonly isConnectionBound = true;
  readonly sessionIdleMs = 10 * 60 * 1000;

  async open(
    endpoint: Endpoint,
    { limits, logger, clientCapabilities }: OpenOptions,
  ): Promise<UpstreamConnection | undefined> {
    const { clock, nextId, lane } = endpoint;
    const channel = new Channel({ clock, logger, lane, idleMs: limits.idleMs });
    try {
      if (!(await attachSsePipe(endpoint, channel, limits))) return undefined;
      await initializeChannel(channel, endpoint, HANDSHAKE_MS, clientCapabilities);
      return new ChannelConnection(this, channel, clock, nextId);
    } catch (error) {
      channel.close();
      throw error;
    }
  }

  post(endpoint: Endpoint, address: UpstreamAddress, body: Buffer): Promise<void> {
    return postToAddress(endpoint, address, body);
  }
}
