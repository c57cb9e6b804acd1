/** The handshake and requests of the gateway itself over a channel. Never on the hot path. */
import type { Clock } from "#lib/clock";
import { isObject } from "#lib/is-object";
import { type ClientCapabilities, NO_CAPABILITIES } from "../../envelope/client-capabilities.ts";
import { UpstreamFault } from "../failure.ts";
import type { Channel } from "../transport/channel.ts";
import type { Endpoint } from "../transport/endpoint.ts";
import { type Reply, readJsonRpc } from "../transport/request.ts";
import {
  capabilitiesOf,
  discoverBody,
  initializeBody,
  initializedBody,
  instructionsOf,
  readVersion,
  supportedVersion,
  supportsModern,
} from "./handshake.ts";

const NO_HEADERS = new Map<string, string>();

/** The deadline covers the whole handshake, also when the upstream stops reading. */
export async function initializeChannel(
  channel: Channel,
  endpoint: Pick<Endpoint, "clock" | "nextId">,
  deadlineMs: number,
  clientCapabilities = NO_CAPABILITIES,
): Promise<void> {
  const late = Promise.withResolvers<never>();
  const deadline = endpoint.clock.after(deadlineMs, () => late.reject(notInTime()));
  try {
    await Promise.race([performHandshake(channel, endpoint, deadlineMs, clientCapabilities), late.promise]);
  } finally {
    deadline.cancel();
  }
}

/** The legacy era is tried first: a legacy server may react in any way to other requests before its handshake. */
async function performHandshake(
  channel: Channel,
  { clock, nextId }: Pick<Endpoint, "clock" | "nextId">,
  deadlineMs: number,
  clientCapabilities: ClientCapabilities,
): Promise<void> {
  const initialize = async (version?: string) => {
    const id = nextId();
    const body = initializeBody(id, clientCapabilities, version);
    return (await requestOverChannel(channel, clock, id, body, deadlineMs)).response;
  };
  let response = await initialize();
  const otherVersion = supportedVersion(response);
  if (otherVersion !== undefined) response = await initialize(otherVersion);
  if (!isObject(response?.result)) return discoverOverChannel(channel, clock, nextId(), deadlineMs);
  readVersion(response.result);
  channel.capabilities = capabilitiesOf(response.result);
  channel.instructions = instructionsOf(response.result);
  // Awaited, so that no call overtakes it.
  await channel.notify(initializedBody());
}

async function discoverOverChannel(channel: Channel, clock: Clock, id: number, deadlineMs: number): Promise<void> {
  const { response } = await requestOverChannel(channel, clock, id, discoverBody(id), deadlineMs);
  if (!isObject(response?.result) || !supportsModern(response.result)) {
    throw new UpstreamFault("bad-answer", "rejected the MCP handshake");
  }
  channel.era = "modern";
  channel.capabilities = capabilitiesOf(response.result);
  channel.instructions = instructionsOf(response.result);
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
  return new UpstreamFault("timeout", "did not respond in time");
}
