import { Transform, type TransformCallback } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { CHUNK_COST_BYTES, ChunkList } from "#lib/chunk-list";
import { InFlightBytes } from "#lib/in-flight-bytes";

/** A body of 1 MiB takes less than 10 s at 1 Mbit/s. Node's own limit for a whole request is 5 minutes. */
const BODY_TIMEOUT_MS = 30_000;
/** For operations with larger bodies; less than the limit for a whole request. */
const LARGE_BODY_TIMEOUT_MS = 110_000;
const LARGE_BODY_BYTES = 1024 * 1024;
const PART_BYTES = 16 * 1024;

/** Of all bodies that are still arriving: many slow ones must not hold more than a few fast ones. */
const IN_FLIGHT_LIMIT_BYTES = 64 * 1024 * 1024;

/**
 * Fastify keeps every chunk of a body until its end. Bodies reach its parsers through this stream, which joins small
 * chunks and limits their number and the time they take, so that neither a body of tiny chunks nor a slow one holds more
 * than its size (GW-5). It is a hook, so it applies to every parser of every scope.
 */
export function joinBodyChunks(server: FastifyInstance): void {
  const inFlight = new InFlightBytes(IN_FLIGHT_LIMIT_BYTES);
  server.addHook("preParsing", (request, reply, payload, done) => {
    if (!hasBody(request)) return done(null, payload);
    const body = new JoinedBody(request.routeOptions.bodyLimit ?? server.initialConfig.bodyLimit ?? 0, inFlight);
    // A body that no parser reads, as after a 415, has no other listener.
    body.on("error", () => {});
    reply.raw.once("close", () => {
      // The rest of an unread body would block the connection for the next request.
      payload.unpipe(body).resume();
      body.destroy();
    });
    // Not `pipeline`: it would destroy the connection on a fault, and the caller would not get the response.
    payload.on("error", () => body.destroy(new BodyFault("BODY_INCOMPLETE")));
    payload.pipe(body);
    done(null, body);
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

class JoinedBody extends Transform {
  readonly #limitBytes: number;
  readonly #inFlight: InFlightBytes;
  #heldBytes = 0;
  #chunksReceived = 0;
  #part = new ChunkList();
  readonly #timer: NodeJS.Timeout;

  constructor(limitBytes: number, inFlight: InFlightBytes) {
    super();
    this.#limitBytes = limitBytes;
    this.#inFlight = inFlight;
    const timeoutMs = limitBytes > LARGE_BODY_BYTES ? LARGE_BODY_TIMEOUT_MS : BODY_TIMEOUT_MS;
    this.#timer = setTimeout(() => this.destroy(new BodyFault("BODY_TIMEOUT")), timeoutMs);
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.#chunksReceived++;
    if (this.#chunksReceived * CHUNK_COST_BYTES > this.#limitBytes) {
      return callback(new BodyFault("FST_ERR_CTP_BODY_TOO_LARGE"));
    }
    if (!this.#inFlight.take(chunk.length)) return callback(new BodyFault("NO_ROOM_FOR_BODY"));
    this.#heldBytes += chunk.length;
    this.#part.push(chunk);
    // In parts and not only at the end, so that a parser with a smaller limit rejects the body before all of it is here.
    if (this.#part.bytes >= PART_BYTES) this.#pushPart();
    callback();
  }

  override _flush(callback: TransformCallback): void {
    if (this.#part.bytes > 0) this.#pushPart();
    callback();
  }

  #pushPart(): void {
    this.push(this.#part.toBuffer());
    this.#part = new ChunkList();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#inFlight.giveBack(this.#heldBytes);
    callback(error);
  }
}

/** `renderError` finds status and message by the code. */
class BodyFault extends Error {
  readonly code: string;

  constructor(code: string) {
    super(code);
    this.code = code;
  }
}
