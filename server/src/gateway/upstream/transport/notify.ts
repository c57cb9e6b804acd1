import { type Endpoint, requestOptions } from "../handshake/handshake.ts";
import type { UpstreamSession } from "../sessions/target.ts";
import { sendRequest } from "./request.ts";

const ACCEPTANCE_BYTES = 64 * 1024;

/** A message that expects no response. Resolves when it was taken or not: whether it arrives changes nothing here. */
export async function notify({ channel, endpoint, headers }: UpstreamSession, body: Buffer): Promise<void> {
  await (channel ? channel.notify(body) : notifyAt(endpoint, endpoint.path, headers, body));
}

export async function notifyAt(
  endpoint: Endpoint,
  path: string,
  headers: readonly string[],
  body: Buffer,
): Promise<void> {
  try {
    const message = { method: "POST", path, headers, ownHeaders: endpoint.extraHeaders, body } as const;
    await sendRequest(endpoint.wire(), message, requestOptions(endpoint, undefined, ACCEPTANCE_BYTES));
  } catch {
    // Not reached, or we are shutting down.
  }
}
