/** The handshake and single questions over a channel. Cold path only. */
import type { Clock } from "#lib/clock";
import { isObject } from "#lib/is-object";
import { type ClientCapabilities, NO_CAPABILITIES } from "../../envelope/client-capabilities.ts";
import { UpstreamFault } from "../failure.ts";
import { Channel, type ChannelOptions } from "../transport/channel.ts";
import { type Reply, readJsonRpc } from "../transport/request.ts";
import { attachSsePipe } from "../transport/sse-pipe.ts";
import {
  capabilitiesOf,
  discoverBody,
  type Endpoint,
  HANDSHAKE_MS,
  initializeBody,
  initializedBody,
  listsModern,
  readVersion,
} from "./handshake.ts";

export interface ChannelLimits extends Omit<ChannelOptions, "clock"> {
  readonly maxBytes: number;
}

const NO_HEADERS = new Map<string, string>();

/** Undefined when the upstream does not speak the HTTP+SSE transport. Rejects with UpstreamFault. */
export async function openSseChannel(
  endpoint: Endpoint,
  limits: ChannelLimits,
  declared = NO_CAPABILITIES,
): Promise<Channel | undefined> {
  const channel = new Channel({ clock: endpoint.clock, logger: limits.logger, idleMs: limits.idleMs });
  try {
    if (!(await attachSsePipe(endpoint, channel, limits))) return undefined;
    await initializeChannel(channel, endpoint, HANDSHAKE_MS, declared);
    return channel;
  } catch (error) {
    channel.close();
    throw error;
  }
}

/** All of it within `deadlineMs`, also when the upstream does not even read what it is told. */
export async function initializeChannel(
  channel: Channel,
  endpoint: Pick<Endpoint, "clock" | "nextId">,
  deadlineMs: number,
  declared = NO_CAPABILITIES,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const deadline = endpoint.clock.after(deadlineMs, () => late.reject(notInTime()));
  try {
    await Promise.race([shakeHands(channel, endpoint, deadlineMs, declared), late.promise]);
  } finally {
    deadline.cancel();
  }
}

/** The old era first: a server of that era may do anything before its handshake. */
async function shakeHands(
  channel: Channel,
  { clock, nextId }: Pick<Endpoint, "clock" | "nextId">,
  deadlineMs: number,
  declared: ClientCapabilities,
): Promise<void> {
  const id = nextId();
  const { response } = await requestOverChannel(channel, clock, id, initializeBody(id, declared), deadlineMs);
  if (!isObject(response?.result)) return discoverChannel(channel, clock, nextId(), deadlineMs);
  readVersion(response.result);
  channel.capabilities = capabilitiesOf(response.result);
  // Awaited, so that no call overtakes it.
  await channel.notify(initializedBody());
}

async function discoverChannel(channel: Channel, clock: Clock, id: number, deadlineMs: number): Promise<void> {
  const { response } = await requestOverChannel(channel, clock, id, discoverBody(id), deadlineMs);
  if (!isObject(response?.result) || !listsModern(response.result)) {
    throw new UpstreamFault("bad-answer", "refused the handshake of MCP");
  }
  channel.era = "modern";
  channel.capabilities = capabilitiesOf(response.result);
}

export function requestOverChannel(
  channel: Channel,
  clock: Clock,
  id: number,
  body: Buffer,
  deadlineMs: number,
): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = channel.request(id, body, {
      message(message) {
        if (message.kind !== "result" && message.kind !== "error") return;
        deadline.cancel();
        const text = message.source.slice(0, message.source.length);
        resolve({ status: 200, headers: NO_HEADERS, response: readJsonRpc(text, id), text });
      },
      fault(fault) {
        queueMicrotask(() => deadline.cancel());
        reject(fault);
      },
    });
    const deadline = clock.after(deadlineMs, () => {
      request.abort();
      reject(notInTime());
    });
  });
}

function notInTime(): UpstreamFault {
  return new UpstreamFault("timeout", "did not answer in time");
}
