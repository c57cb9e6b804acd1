import { type Readable, Transform, type TransformCallback } from "node:stream";
import type { FastifyInstance, FastifyRequest, RequestPayload } from "fastify";
import { CHUNK_COST_BYTES, ChunkList } from "#lib/chunk-list";
import { InFlightBytes } from "#lib/in-flight-bytes";
import { networkOf } from "#lib/network-of";

/** A body of 1 MiB takes less than 10 s at 1 Mbit/s. Node's own limit for a whole request is 5 minutes. */
const BODY_TIMEOUT_MS = 30_000;
/** For operations with larger bodies; less than the limit for a whole request. */
const LARGE_BODY_TIMEOUT_MS = 110_000;
const LARGE_BODY_BYTES = 1024 * 1024;
const PART_BYTES = 16 * 1024;

/** Of all bodies that are still arriving: many slow ones must not hold more than a few fast ones. A configuration has up to 64 MiB. */
const IN_FLIGHT_LIMIT_BYTES = 96 * 1024 * 1024;
/** Of those without a credential, such as sign-ins. They must not use up what admitted callers need. */
const STRANGERS_LIMIT_BYTES = 16 * 1024 * 1024;
/** Not counted: a connection takes as much, and sign-ins and token requests, which are smaller, are never rejected. */
const UNCOUNTED_BYTES = 16 * 1024;

declare module "fastify" {
  interface FastifyRequest {
    /** The actor whose credential was accepted before the body is read; undefined for strangers. */
    payer?: string;
  }
}

/**
 * Fastify keeps every chunk of a body until its end. Bodies reach its parsers through this stream, which joins small
 * chunks and limits their number and the time they take, so that neither a body of tiny chunks nor a slow one holds more
 * than its size (GW-5). It is a hook, so it applies to every parser of every scope.
 */
export function joinBodyChunks(server: FastifyInstance): void {
  const ofAdmitted = new InFlightBytes(IN_FLIGHT_LIMIT_BYTES);
  const ofStrangers = new InFlightBytes(STRANGERS_LIMIT_BYTES);
  server.addHook("preParsing", (request, reply, payload, done) => {
    if (!hasBody(request) || isHere(payload, request)) return done(null, payload);
    const { payer } = request;
    const memory =
      payer === undefined ? { inFlight: ofStrangers, payer: networkOf(request.ip) } : { inFlight: ofAdmitted, payer };
    const body = new JoinedBody(request.routeOptions.bodyLimit ?? server.initialConfig.bodyLimit ?? 0, memory);
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

/** A small body often arrives together with its headers. Nothing has to wait for it. */
function isHere(payload: RequestPayload & Partial<Readable>, { headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] === undefined && payload.readableLength === Number(headers["content-length"]);
}

interface BodyMemory {
  readonly inFlight: InFlightBytes;
  readonly payer: string;
}

class JoinedBody extends Transform {
  readonly #limitBytes: number;
  readonly #memory: BodyMemory;
  #receivedBytes = 0;
  #heldBytes = 0;
  #chunksReceived = 0;
  #part = new ChunkList();
  readonly #timer: NodeJS.Timeout;

  constructor(limitBytes: number, memory: BodyMemory) {
    super();
    this.#limitBytes = limitBytes;
    this.#memory = memory;
    const timeoutMs = limitBytes > LARGE_BODY_BYTES ? LARGE_BODY_TIMEOUT_MS : BODY_TIMEOUT_MS;
    this.#timer = setTimeout(() => this.destroy(new BodyFault("BODY_TIMEOUT")), timeoutMs);
  }

  override _transform(chunk: Buffer, _encoding: string, callback: TransformCallback): void {
    this.#chunksReceived++;
    if (this.#chunksReceived * CHUNK_COST_BYTES > this.#limitBytes) {
      return callback(new BodyFault("FST_ERR_CTP_BODY_TOO_LARGE"));
    }
    if (!this.#hold(chunk.length)) return callback(new BodyFault("NO_ROOM_FOR_BODY"));
    this.#part.push(chunk);
    // In parts and not only at the end, so that a parser with a smaller limit rejects the body before all of it is here.
    if (this.#part.bytes >= PART_BYTES) this.#pushPart();
    callback();
  }

  override _flush(callback: TransformCallback): void {
    if (this.#part.bytes > 0) this.#pushPart();
    callback();
  }

  #hold(bytes: number): boolean {
    this.#receivedBytes += bytes;
    const missing = Math.max(0, this.#receivedBytes - UNCOUNTED_BYTES) - this.#heldBytes;
    const { inFlight, payer } = this.#memory;
    if (missing > 0 && !inFlight.take(payer, missing, this.#heldBytes)) return false;
    this.#heldBytes += missing;
    return true;
  }

  #pushPart(): void {
    this.push(this.#part.toBuffer());
    this.#part = new ChunkList();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    clearTimeout(this.#timer);
    this.#memory.inFlight.giveBack(this.#memory.payer, this.#heldBytes);
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
