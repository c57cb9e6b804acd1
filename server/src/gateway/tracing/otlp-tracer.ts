/**
 * Exports spans to a collector with OTLP over HTTP as JSON, in batches and without delaying calls. Spans are buffered
 * up to a limit while the collector is unreachable; further spans are dropped and counted (decision 0044).
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

export interface OtlpDependencies extends OtlpOptions {
  readonly request: (request: EgressRequest) => Promise<EgressResponse>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly random: RandomBytes;
}

const MAX_BUFFERED = 8_192;
const BATCH_SIZE = 512;
const EXPORT_DELAY_MS = 2_000;
const MAX_RETRY_DELAY_MS = 30_000;
const MAX_RESPONSE_BYTES = 64 * 1024;
const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);

export class OtlpTracer implements Tracer {
  /** Counters for metrics. */
  exported = 0;
  dropped = 0;
  readonly #deps: OtlpDependencies;
  #buffer: FinishedSpan[] = [];
  #timer: Timer | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  #closed = false;

  constructor(deps: OtlpDependencies) {
    this.#deps = deps;
  }

  begin(parent: TraceContext | undefined): { context: TraceContext; isRecorded: boolean } {
    const traceId = parent?.traceId ?? this.#id(16);
    const isRecorded = this.#deps.sample(traceId, parent);
    // If the request is not recorded, the caller's span remains the parent of downstream spans.
    if (!isRecorded && parent) return { context: parent, isRecorded };
    const flags = isRecorded ? "01" : "00";
    return { context: { traceId, spanId: this.#id(8), flags, state: parent?.state }, isRecorded };
  }

  child(of: TraceContext): TraceContext {
    return { ...of, spanId: this.#id(8) };
  }

  finished(span: FinishedSpan): void {
    if (this.#closed || this.#buffer.length >= MAX_BUFFERED) {
      this.dropped++;
      return;
    }
    this.#buffer.push(span);
    if (!this.#sending) this.#timer ??= this.#deps.clock.after(EXPORT_DELAY_MS, () => void this.flush());
  }

  /** Sends the buffered spans until the collector stops accepting them. */
  flush(): Promise<void> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
      if (this.#buffer.length > 0 && !this.#closed) this.#timer ??= this.#scheduleFlush();
    });
    return this.#sending;
  }

  /**
   * Sends the remaining spans, unless the last export failed: a shutdown does not wait for an unreachable collector.
   */
  async close(): Promise<void> {
    await this.#sending;
    if (this.#failures === 0) await this.flush();
    this.#closed = true;
    this.#timer?.cancel();
    this.dropped += this.#buffer.length;
    this.#buffer = [];
  }

  #scheduleFlush(): Timer {
    const delayMs = this.#failures === 0 ? EXPORT_DELAY_MS : Math.min(1000 * 2 ** this.#failures, MAX_RETRY_DELAY_MS);
    return this.#deps.clock.after(delayMs, () => void this.flush());
  }

  async #sendAll(): Promise<void> {
    while (this.#buffer.length > 0) {
      const batch = this.#buffer.slice(0, BATCH_SIZE);
      if (!(await this.#send(batch))) return;
      this.#buffer = this.#buffer.slice(batch.length);
    }
  }

  /** Returns false when the batch should be retried later. */
  async #send(batch: readonly FinishedSpan[]): Promise<boolean> {
    const { url, headers, timeoutMs, resource, request } = this.#deps;
    try {
      const body = exportBody(resource, batch);
      const response = await request({
        method: "POST",
        url,
        headers: { ...headers, "content-type": "application/json", "accept-encoding": "identity" },
        body,
        maxBytes: MAX_RESPONSE_BYTES,
        timeouts: { idleMs: timeoutMs, totalMs: timeoutMs },
      });
      if (RETRYABLE_STATUSES.has(response.status)) return this.#failed(`it responded with ${response.status}`);
      const isAccepted = response.status >= 200 && response.status < 300;
      const rejected = isAccepted ? rejectedSpanCount(response.body) : batch.length;
      if (rejected > 0)
        this.#deps.logger.warn({ status: response.status, spans: rejected }, "the trace collector rejected spans");
      this.dropped += rejected;
      this.exported += batch.length - rejected;
      if (this.#failures > 0) this.#deps.logger.info("the trace collector is reachable again");
      this.#failures = 0;
      return true;
    } catch (error) {
      return this.#failed(error);
    }
  }

  #failed(reason: unknown): false {
    if (this.#failures++ === 0) this.#deps.logger.warn({ err: reason }, "the trace collector is unreachable");
    return false;
  }

  #id(bytes: number): string {
    return Buffer.from(this.#deps.random(bytes)).toString("hex");
  }
}

/** Reads `partialSuccess` from the response. */
function rejectedSpanCount(body: Buffer): number {
  try {
    return Number(JSON.parse(body.toString("utf8"))?.partialSuccess?.rejectedSpans ?? 0) || 0;
  } catch {
    return 0;
  }
}
