/**
 * Brings what calls carried into the database, where the organization wants that (decision 0043). Beside the calls,
 * never in their way: they wait in memory up to a bound, and what finds no room is dropped and counted.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { nextTurn } from "#lib/next-turn";
import { redactPayload } from "#lib/redact-payload";
import { type CallPayloadRow, insertPayloads, type KeptBody, sealPayload } from "#records/call-payloads";
import type { CallsDb } from "#storage/database";
import type { Vault } from "#storage/vault";

export interface PayloadKeeperNeeds {
  readonly db: CallsDb;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly logger: Logger;
  /** How much may wait; for tests. */
  readonly waitingBytes?: number;
}

interface Carried {
  readonly requestId: string;
  readonly at: number;
  readonly capture: string;
  readonly request: readonly Buffer[];
  readonly response: readonly Buffer[];
}

interface Waiting {
  readonly requestId: string;
  readonly at: number;
  readonly capture: string;
  readonly request: Copied;
  readonly response: Copied;
}

interface Copied {
  readonly start: Buffer;
  readonly bytes: number;
}

const KEPT_BYTES = 64 * 1024;
/** What is larger is not parsed on the event loop. */
const READ_BYTES = 256 * 1024;
const WAITING_BYTES = 16 * 1024 * 1024;
const BATCH = 50;
const IDLE_MS = 200;
const AWAY_MS = 5_000;

export class PayloadKeeper {
  /** For metrics. */
  dropped = 0;
  readonly #needs: PayloadKeeperNeeds;
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  #timer: Timer | undefined;
  #writing: Promise<void> = Promise.resolve();
  #away = false;

  constructor(needs: PayloadKeeperNeeds) {
    this.#needs = needs;
  }

  keep({ requestId, at, capture, request, response }: Carried): void {
    const limit = capture === "full" ? KEPT_BYTES : READ_BYTES;
    const one = { requestId, at, capture, request: copy(request, limit), response: copy(response, limit) };
    const size = sizeOf(one);
    if (this.#waitingBytes + size > (this.#needs.waitingBytes ?? WAITING_BYTES)) {
      this.dropped++;
      return;
    }
    this.#waiting.push(one);
    this.#waitingBytes += size;
    this.#timer ??= this.#needs.clock.after(IDLE_MS, () => void this.stored());
  }

  /** Resolves when all that waits now is in the database, or could not be brought there. */
  stored(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing = this.#writing.then(() => this.#writeAll());
    return this.#writing;
  }

  async #writeAll(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        const batch = this.#waiting.slice(0, BATCH);
        const rows: CallPayloadRow[] = [];
        for (const one of batch) {
          rows.push(this.#seal(one));
          await nextTurn();
        }
        await insertPayloads(this.#needs.db, rows);
        this.#waiting = this.#waiting.slice(batch.length);
        for (const one of batch) this.#waitingBytes -= sizeOf(one);
      }
      this.#away = false;
    } catch (error) {
      if (!this.#away) this.#needs.logger.warn({ err: error }, "what calls carried waits for the database");
      this.#away = true;
      this.#timer ??= this.#needs.clock.after(AWAY_MS, () => void this.stored());
    }
  }

  #seal({ requestId, at, capture, request, response }: Waiting): CallPayloadRow {
    const kept = { request: keptBody(request, capture), response: keptBody(response, capture) };
    const sealed = sealPayload(this.#needs.vault, requestId, kept);
    return { id: requestId, at, bytes: sealed.length, capture, sealed };
  }
}

/** The buffers of a connection are used again. */
function copy(parts: readonly Buffer[], limit: number): Copied {
  const bytes = parts.reduce((sum, part) => sum + part.length, 0);
  return { start: Buffer.concat(parts, Math.min(bytes, limit)), bytes };
}

function sizeOf({ request, response }: Waiting): number {
  return request.start.length + response.start.length;
}

function keptBody({ start, bytes }: Copied, capture: string): KeptBody {
  if (capture === "full") return { text: textOf(start, bytes > start.length), bytes, is_cut: bytes > start.length };
  if (bytes > start.length) return { text: null, bytes, is_cut: true };
  const redacted = bytes === 0 ? "" : redactedText(start);
  return { text: redacted?.slice(0, KEPT_BYTES) ?? null, bytes, is_cut: (redacted?.length ?? 0) > KEPT_BYTES };
}

/** Undefined for what is no JSON: nothing of it could be told apart. */
function redactedText(body: Buffer): string | undefined {
  try {
    return JSON.stringify(redactPayload(JSON.parse(body.toString("utf8"))));
  } catch {
    return undefined;
  }
}

/** A character that the cut went through is left out. */
function textOf(bytes: Buffer, isCut: boolean): string {
  const text = bytes.toString("utf8");
  return isCut ? text.replace(/\ufffd+$/, "") : text;
}
