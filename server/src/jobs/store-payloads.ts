/**
 * Stores the payloads of calls in the database if the organization enabled that (decision 0043). Calls do not wait:
 * payloads are queued in memory up to a limit, and further ones are dropped and counted.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { nextTurn } from "#lib/next-turn";
import { redactPayload } from "#lib/redact-payload";
import { type CallPayloadRow, insertPayloads, type KeptBody, sealPayload } from "#records/call-payloads";
import type { CallsDb } from "#storage/database";
import type { Vault } from "#storage/vault";

export interface PayloadWriterNeeds {
  readonly db: CallsDb;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Maximum size of the queue; for tests. */
  readonly maxQueuedBytes?: number;
}

interface CallPayload {
  readonly requestId: string;
  readonly at: number;
  readonly capture: string;
  readonly request: readonly Buffer[];
  readonly response: readonly Buffer[];
}

interface QueuedPayload {
  readonly requestId: string;
  readonly at: number;
  readonly capture: string;
  readonly request: BodyCopy;
  readonly response: BodyCopy;
}

interface BodyCopy {
  readonly start: Buffer;
  readonly bytes: number;
}

const MAX_STORED_BYTES = 64 * 1024;
/** Larger bodies are not parsed on the event loop. */
const MAX_PARSED_BYTES = 256 * 1024;
const MAX_QUEUED_BYTES = 16 * 1024 * 1024;
const BATCH = 50;
const IDLE_MS = 200;
const RETRY_MS = 5_000;

export class PayloadWriter {
  /** For metrics. */
  dropped = 0;
  readonly #needs: PayloadWriterNeeds;
  #queue: QueuedPayload[] = [];
  #queuedBytes = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #isDatabaseAway = false;

  constructor(needs: PayloadWriterNeeds) {
    this.#needs = needs;
  }

  add({ requestId, at, capture, request, response }: CallPayload): void {
    const limit = capture === "full" ? MAX_STORED_BYTES : MAX_PARSED_BYTES;
    const one = { requestId, at, capture, request: copy(request, limit), response: copy(response, limit) };
    const size = sizeOf(one);
    if (this.#queuedBytes + size > (this.#needs.maxQueuedBytes ?? MAX_QUEUED_BYTES)) {
      this.dropped++;
      return;
    }
    this.#queue.push(one);
    this.#queuedBytes += size;
    this.#timer ??= this.#needs.clock.after(IDLE_MS, () => void this.flush());
  }

  /** Resolves when all queued payloads are in the database, or the attempt failed. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const batch = this.#queue.slice(0, BATCH);
        const rows: CallPayloadRow[] = [];
        for (const one of batch) {
          rows.push(this.#seal(one));
          await nextTurn();
        }
        await insertPayloads(this.#needs.db, rows);
        this.#queue = this.#queue.slice(batch.length);
        for (const one of batch) this.#queuedBytes -= sizeOf(one);
      }
      this.#isDatabaseAway = false;
    } catch (error) {
      if (!this.#isDatabaseAway)
        this.#needs.logger.warn({ err: error }, "call payloads wait in memory because the database is unavailable");
      this.#isDatabaseAway = true;
      this.#timer ??= this.#needs.clock.after(RETRY_MS, () => void this.flush());
    }
  }

  #seal({ requestId, at, capture, request, response }: QueuedPayload): CallPayloadRow {
    const kept = { request: keptBody(request, capture), response: keptBody(response, capture) };
    const sealed = sealPayload(this.#needs.vault, requestId, kept);
    return { id: requestId, at, bytes: sealed.length, capture, sealed };
  }
}

/** Copies, because the buffers of a connection are reused. */
function copy(parts: readonly Buffer[], limit: number): BodyCopy {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  return { start: Buffer.concat(parts, Math.min(bytes, limit)), bytes };
}

function sizeOf({ request, response }: QueuedPayload): number {
  return request.start.length + response.start.length;
}

function keptBody({ start, bytes }: BodyCopy, capture: string): KeptBody {
  if (capture === "full") return { text: textOf(start, bytes > start.length), bytes, is_cut: bytes > start.length };
  if (bytes > start.length) return { text: null, bytes, is_cut: true };
  const redacted = bytes === 0 ? "" : redactedText(start);
  return {
    text: redacted?.slice(0, MAX_STORED_BYTES) ?? null,
    bytes,
    is_cut: (redacted?.length ?? 0) > MAX_STORED_BYTES,
  };
}

/** Undefined if the body is not JSON, because secrets could not be recognized in it. */
function redactedText(body: Buffer): string | undefined {
  try {
    return JSON.stringify(redactPayload(JSON.parse(body.toString("utf8"))));
  } catch {
    return undefined;
  }
}

/** Omits a character that was cut in the middle. */
function textOf(bytes: Buffer, isCut: boolean): string {
  const text = bytes.toString("utf8");
  return isCut ? text.replace(/\ufffd+$/, "") : text;
}
