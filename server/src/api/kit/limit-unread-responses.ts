import type { FastifyInstance } from "fastify";
import { InFlightBytes } from "#lib/in-flight-bytes";
import { shareOfMemory } from "#lib/memory-limit";
import type { Operation } from "./operation.ts";

const MB = 1024 * 1024;
const SHARE_OF_MEMORY = 1 / 8;
/** Not counted: the system holds as much for a connection. */
const UNCOUNTED_BYTES = 64 * 1024;
/** What a download that is not read holds: the entries and texts of pages, and what waits in the connection. */
const DOWNLOAD_BYTES = 4 * MB;
/** Events are small, and integrations follow many sessions. */
const EVENT_STREAM_BYTES = MB;

class NoRoomForResponse extends Error {
  readonly code = "NO_ROOM_FOR_RESPONSE";
}

/**
 * A caller that requests many large responses and reads none of them must not exhaust the memory (GW-10, decision 0215).
 * A download waits for its reader, so each counts the same, before its first page is read (decision 0259). Responses to
 * strangers are not counted, because they are small.
 */
export function limitUnreadResponses(
  server: FastifyInstance,
  limitBytes = shareOfMemory(SHARE_OF_MEMORY, 64 * MB, 512 * MB),
): void {
  const unread = new InFlightBytes(limitBytes);
  server.addHook("preHandler", async ({ payer, routeOptions }, reply) => {
    const bytes = bytesOfDownload(routeOptions.config.operation);
    if (payer === undefined || bytes === 0 || reply.raw.destroyed) return;
    if (!unread.take(payer, bytes, 0)) throw new NoRoomForResponse();
    reply.raw.once("close", () => unread.giveBack(payer, bytes));
  });
  server.addHook("onSend", async (request, reply, payload) => {
    const { payer } = request;
    const bytes = sizeOf(payload);
    if (payer === undefined || bytes <= UNCOUNTED_BYTES || reply.raw.destroyed) return;
    if (unread.take(payer, bytes, 0)) reply.raw.once("close", () => unread.giveBack(payer, bytes));
    // The response to a change is sent in any case: the caller must know that it was made.
    else if (request.method === "GET") {
      reply.removeHeader("content-type").removeHeader("etag");
      throw new NoRoomForResponse();
    }
  });
}

function bytesOfDownload(operation: Operation | undefined): number {
  if (operation?.kind !== "download") return 0;
  return operation.media?.["text/event-stream"] === undefined ? DOWNLOAD_BYTES : EVENT_STREAM_BYTES;
}

function sizeOf(payload: unknown): number {
  if (typeof payload === "string") return Buffer.byteLength(payload);
  return Buffer.isBuffer(payload) ? payload.length : 0;
}
