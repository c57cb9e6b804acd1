/**
 * Keeps what goes wrong at one upstream there (GW-12): calls to it are bounded in number, those beyond wait in a bounded
 * queue for a bounded time, and one that fails again and again is left alone for a while. A call costs a few comparisons
 * here and no timer: the sweep over all calls looks after the queue.
 */
import type { Clock } from "#lib/clock";
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from "../../snapshot/limits.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import { UpstreamFault } from "../failure.ts";
import type { ExchangeLimits } from "../transport/exchange.ts";
import type { UpstreamMeter } from "./upstream-meter.ts";

/** A call as its bulkhead sees it. */
export interface AdmittedCall {
  /** Kept by the bulkhead: outside it never came in, or has left. */
  stage: "outside" | "waiting" | "inside" | "resting";
  readonly startedAt: number;
  readonly doneAt?: number | undefined;
  /** For the metrics. */
  readonly method: string;
  start(): void;
  stop(fault: UpstreamFault): void;
}

const MOST_RESTING = 32;

type LimitedServer = Pick<ServerEntry, "limits" | "upstream">;

/** What a call's end says of its upstream. */
export type HealthSignal = "up" | "down" | "none";

export class Bulkhead {
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #meter: UpstreamMeter;
  readonly #waiting: AdmittedCall[] = [];
  #defaults: ServerLimits | undefined;
  #server: LimitedServer | undefined;
  #limits = DEFAULT_SERVER_LIMITS;
  #exchangeLimits: ExchangeLimits;
  #inside = 0;
  /** Those for which somebody is asked something. */
  #resting = 0;
  #failures = 0;
  /** Until when nothing is asked; undefined: all is well. */
  #pausedUntil: number | undefined;
  /** The one call that tries whether the upstream is back. */
  #probe: AdmittedCall | undefined;

  constructor(clock: Clock, maxBytes: number, meter: UpstreamMeter) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.#meter = meter;
    this.#exchangeLimits = { ...this.#limits, maxBytes };
  }

  get limits(): ServerLimits {
    return this.#limits;
  }

  get exchangeLimits(): ExchangeLimits {
    return this.#exchangeLimits;
  }

  /** Both stay the same objects until somebody changes them, and so this is mostly a comparison. */
  obey(defaults: ServerLimits, server: LimitedServer): void {
    if (defaults === this.#defaults && server === this.#server) return;
    // What failed at another address says nothing of this one.
    if (server.upstream?.url !== this.#server?.upstream?.url) this.#recover();
    this.#defaults = defaults;
    this.#server = server;
    this.#limits = { ...defaults, ...server.limits };
    this.#exchangeLimits = { ...this.#limits, maxBytes: this.#maxBytes };
  }

  /** Nobody is inside or waiting, and nothing is remembered of it. */
  get isIdle(): boolean {
    return this.#inside + this.#resting === 0 && this.#waiting.length === 0 && this.#failures === 0;
  }

  /** For metrics: the name under which the server stands there, and how it is with it now. */
  get load(): { server: string; inside: number; waiting: number; paused: number } {
    const paused = Number(this.#pausedUntil !== undefined);
    return { server: this.#meter.name, inside: this.#inside + this.#resting, waiting: this.#waiting.length, paused };
  }

  /** Starts the call, lets it wait, or stops it with a fault. */
  enter(call: AdmittedCall): void {
    if (this.#pausedUntil !== undefined && !this.#mayProbe(this.#pausedUntil)) {
      call.stop(this.#pausedFault(this.#pausedUntil));
    } else if (this.#inside < this.#limits.concurrentCalls) {
      if (this.#pausedUntil !== undefined) this.#probe = call;
      this.#start(call);
    } else if (this.#waiting.length < this.#limits.queuedCalls) {
      call.stage = "waiting";
      this.#waiting.push(call);
    } else call.stop(this.#fullFault());
  }

  /**
   * A person is asked in the middle of this call, which may take minutes: others need not wait for that. Beyond a number
   * they keep their places, since each holds a connection and the answers must be posted over one, too.
   */
  rest(call: AdmittedCall): void {
    if (call.stage !== "inside" || this.#resting >= Math.min(this.#limits.concurrentCalls, MOST_RESTING)) return;
    call.stage = "resting";
    this.#inside--;
    this.#resting++;
    if (this.#probe === call) this.#probe = undefined;
    // Whoever asks is there.
    this.#recover();
    this.#admitWaiting();
  }

  /** Told once of each call that came to its end; of one that was never let in, it does nothing. */
  leave(call: AdmittedCall, signal: HealthSignal): void {
    const { stage } = call;
    call.stage = "outside";
    if (call.doneAt !== undefined) this.#meter.record(call.method, signal, (call.doneAt - call.startedAt) / 1000);
    if (stage === "waiting") this.#waiting.splice(this.#waiting.indexOf(call), 1);
    if (stage === "inside") this.#inside--;
    else if (stage === "resting") this.#resting--;
    else return;
    const wasProbe = this.#probe === call;
    if (wasProbe) this.#probe = undefined;
    if (signal === "up") this.#recover();
    else if (signal === "down") this.#countFailure(wasProbe);
    this.#admitWaiting();
  }

  /** Stops what has waited for too long. */
  sweep(now: number): void {
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      if (now - first.startedAt < this.#limits.queueMs) return;
      first.stop(this.#waitedFault());
    }
  }

  #mayProbe(pausedUntil: number): boolean {
    return this.#probe === undefined && this.#clock.monotonic() >= pausedUntil;
  }

  #start(call: AdmittedCall): void {
    call.stage = "inside";
    this.#inside++;
    call.start();
  }

  /** Also when the answer belongs to a call from before the pause: whoever answers is there. */
  #recover(): void {
    this.#failures = 0;
    this.#pausedUntil = undefined;
  }

  #countFailure(wasProbe: boolean): void {
    this.#failures++;
    const paused = this.#pausedUntil !== undefined;
    if (this.#failures < this.#limits.failuresUntilPause || (paused && !wasProbe)) return;
    this.#pausedUntil = this.#clock.monotonic() + this.#limits.pauseMs;
    const fault = this.#pausedFault(this.#pausedUntil);
    for (const call of [...this.#waiting]) call.stop(fault);
  }

  #admitWaiting(): void {
    while (this.#inside < this.#limits.concurrentCalls && this.#pausedUntil === undefined) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#start(next);
    }
  }

  #pausedFault(pausedUntil: number): UpstreamFault {
    const seconds = Math.ceil((pausedUntil - this.#clock.monotonic()) / 1000);
    const when = seconds > 0 ? `is asked again in ${seconds} s` : "is being asked again right now";
    return busy(`has failed ${this.#failures} times in a row and ${when}`);
  }

  #fullFault(): UpstreamFault {
    return busy(
      `is answering too slowly: ${this.#inside} calls are under way and ${this.#waiting.length} wait; try again later`,
    );
  }

  #waitedFault(): UpstreamFault {
    const seconds = Math.round(this.#limits.queueMs / 1000);
    const words = `is answering too slowly: ${this.#inside} calls are under way, and this one waited ${seconds} s`;
    return new UpstreamFault("timeout", words, { nothingSent: true });
  }
}

function busy(words: string): UpstreamFault {
  return new UpstreamFault("busy", words, { nothingSent: true });
}
