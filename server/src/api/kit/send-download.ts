import { Readable } from "node:stream";
import type { FastifyReply } from "fastify";
import type { Clock } from "#lib/clock";
import type { Download } from "./operation.ts";

/** The type of bodies and downloads that are archives. */
export const ZIP = "application/zip";
const CHECK_MS = 10_000;

/** `readmit` rejects when the caller is admitted no longer; the connection is closed then. */
export function sendDownload(
  reply: FastifyReply,
  { type, fileName, pieces, etag }: Download,
  clock: Pick<Clock, "monotonic">,
  readmit: () => Promise<void>,
): FastifyReply {
  const headers = {
    "content-type": type === ZIP ? type : `${type}; charset=utf-8`,
    // A proxy that buffers would delay events.
    ...(fileName === undefined
      ? { "x-accel-buffering": "no" }
      : { "content-disposition": `attachment; filename="${fileName}"` }),
    ...(etag !== undefined && { etag }),
  };
  return reply.headers(headers).send(Readable.from(whileAdmitted(pieces, clock, readmit)));
}

/**
 * The pieces of a download, until its caller is admitted no longer: a slow reader can read for hours, and must not read on
 * with a deleted token, after a sign-out, or without the scope (decision 0259).
 */
async function* whileAdmitted<Piece>(
  pieces: AsyncIterable<Piece>,
  clock: Pick<Clock, "monotonic">,
  readmit: () => Promise<void>,
): AsyncGenerator<Piece> {
  let checkedAt = clock.monotonic();
  for await (const piece of pieces) {
    if (clock.monotonic() - checkedAt >= CHECK_MS) {
      await readmit();
      checkedAt = clock.monotonic();
    }
    yield piece;
  }
}
