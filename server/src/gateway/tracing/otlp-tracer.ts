/**
 * Records spans and brings them to a collector: OTLP over HTTP as JSON, in batches, beside the calls and never in their
 * way. While the collector is away they wait up to a bound; what finds no room is dropped and counted (decision 0044).
 */
import type { EgressRequest, EgressResponse } from "#egress/egress";
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { RandomBytes } from "#lib/random";
import type { FinishedSpan, Tracer } from "../ports.ts";
import { exportBody, type Resource } from "./otlp-json.ts";
import type { Sampler } from "./sampler.ts";
import type { TraceContext } from "./trace-context.ts";

export interface OtlpOptions {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly resource: Resource;
  readonly sample: Sampler;
}

export interface OtlpNeeds extends OtlpOptions {
  readonly request: (request: EgressRequest) => Promise<EgressResponse>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
}

const MOST_WAITING = 8_192;
const BATCH = 512;
const IDLE_MS = 2_000;
const LONGEST_WAIT_MS = 30_000;
const ANSWER_BYTES = 64 * 1024;
const TRY_AGAIN = new Set([429, 502, 503, 504]);

export class OtlpTracer implements Tracer {
  /** For metrics. */
  exported = 0;
  dropped = 0;
  readonly #needs: OtlpNeeds;
  #waiting: FinishedSpan[] = [];
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  #closed = false;

  constructor(needs: OtlpNeeds) {
    this.#needs = needs;
  }

  begin(parent: TraceContext | undefined): { context: TraceContext; isRecorded: boolean } {
    const traceId = parent?.traceId ?? this.#id(16);
    const isRecorded = this.#needs.sample(traceId, parent);
    // Where nothing is recorded, the caller's own span stays the parent of what comes after us.
    if (!isRecorded && parent) return { context: parent, isRecorded };
    const flags = isRecorded ? "01" : "00";
    return { context: { traceId, spanId: this.#id(8), flags, state: parent?.state }, isRecorded };
  }

  child(of: TraceContext): TraceContext {
    return { ...of, spanId: this.#id(8) };
  }

  finished(span: FinishedSpan): void {
    if (this.#closed || this.#waiting.length >= MOST_WAITING) {
      this.dropped++;
      return;
    }
    this.#waiting.push(span);
    if (!this.#sending) this.#timer ??= this.#needs.clock.after(IDLE_MS, () => void this.flush());
  }

  /** Sends what waits now, or as much of it as the collector takes. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#waiting.length > 0 && !this.#closed) this.#timer ??= this.#later();
    });
    return this.#sending;
  }

  /** Brings what is left, unless the collector was away just now: a shutdown does not wait for it. */
  async close(): Promise<void> {
    await this.#sending;
    if (this.#failures === 0) await this.flush();
    this.#closed = true;
    this.#timer?.cancel();
    this.dropped += this.#waiting.length;
    this.#waiting = [];
  }

  #later(): Timer {
    const delayMs = this.#failures === 0 ? IDLE_MS : Math.min(1000 * 2 ** this.#failures, LONGEST_WAIT_MS);
    return this.#needs.clock.after(delayMs, () => void this.flush());
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, BATCH);
      if (!(await this.#send(batch))) return;
      this.#waiting = this.#waiting.slice(batch.length);
    }
  }

  /** False: to be tried again later. */
  async #send(batch: readonly FinishedSpan[]): Promise<boolean> {
    const { url, headers, timeoutMs, resource, request } = this.#needs;
    try {
      const body = exportBody(resource, batch);
      const answer = await request({
        method: "POST",
        url,
        headers: { ...headers, "content-type": "application/json", "accept-encoding": "identity" },
        body,
        maxBytes: ANSWER_BYTES,
        timeouts: { idleMs: timeoutMs, totalMs: timeoutMs },
      });
      if (TRY_AGAIN.has(answer.status)) return this.#failed(`it answered ${answer.status}`);
      const isTaken = answer.status >= 200 && answer.status < 300;
      const rejected = isTaken ? rejectedOf(answer.body) : batch.length;
      if (rejected > 0)
        this.#needs.logger.warn({ status: answer.status, spans: rejected }, "the collector refused spans");
      this.dropped += rejected;
      this.exported += batch.length - rejected;
      if (this.#failures > 0) this.#needs.logger.info("the collector of traces can be reached again");
      this.#failures = 0;
      return true;
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(why: unknown): false {
    if (this.#failures++ === 0) this.#needs.logger.warn({ err: why }, "the collector of traces cannot be reached");
    return false;
  }

  #id(bytes: number): string {
    return Buffer.from(this.#needs.random(bytes)).toString("hex");
  }
}

/** `partialSuccess` of the answer. */
function rejectedOf(body: Buffer): number {
  try {
    return Number(JSON.parse(body.toString("utf8"))?.partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
