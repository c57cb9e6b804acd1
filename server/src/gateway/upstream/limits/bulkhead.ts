/**
 * Isolates a slow or failing upstream (GW-12): concurrent calls to it are limited, further calls wait in a limited queue
 * for a limited time, and an upstream that fails repeatedly is paused. A call costs a few comparisons and no timer: the
 * sweep over all calls checks the queue.
 */
import type { Clock } from "#lib/clock";
import type { ReadLane } from "#lib/read-pacer";
import { DEFAULT_SERVER_LIMITS, type ServerLimits } from "../../snapshot/limits.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import { UpstreamFault } from "../failure.ts";
import type { ExchangeLimits } from "../transport/exchange.ts";
import type { UpstreamMeter } from "./upstream-meter.ts";

/** A call as its bulkhead sees it. */
export interface AdmittedCall {
  /** Set by the bulkhead. `outside`: not admitted yet, or left. `deferred`: waits for a person. */
  stage: "outside" | "waiting" | "inside" | "deferred";
  readonly startedAt: number;
  readonly doneAt?: number | undefined;
  /** For the metrics. */
  readonly method: string;
  start(): void;
  stop(fault: UpstreamFault): void;
}

const MAX_DEFERRED = 32;
/** An upstream that restarts is back within seconds, so the first trial call comes early. */
const FIRST_PAUSE_MS = 1000;

type LimitedServer = Pick<ServerEntry, "limits" | "upstream">;

/** What the end of a call indicates about the health of its upstream. */
export type HealthSignal = "up" | "down" | "none";

export class Bulkhead {
  /** Where large messages of this server are read. */
  readonly lane: ReadLane;
  readonly #clock: Clock;
  readonly #maxBytes: number;
  readonly #meter: UpstreamMeter;
  readonly #waiting: AdmittedCall[] = [];
  #defaults: ServerLimits | undefined;
  #server: LimitedServer | undefined;
  #limits = DEFAULT_SERVER_LIMITS;
  #exchangeLimits: ExchangeLimits;
  #inside = 0;
  /** Calls that wait for a person. */
  #deferred = 0;
  #failures = 0;
  /** Consecutive pauses. */
  #pauses = 0;
  /** Until when no call is sent; undefined: not paused. */
  #pausedUntil: number | undefined;
  /** The one call that checks whether the upstream has recovered. */
  #probe: AdmittedCall | undefined;

  constructor(clock: Clock, maxBytes: number, lane: ReadLane, meter: UpstreamMeter) {
    this.#clock = clock;
    this.#maxBytes = maxBytes;
    this.lane = lane;
    this.#meter = meter;
    this.#exchangeLimits = { ...this.#limits, maxBytes };
  }

  get limits(): ServerLimits {
    return this.#limits;
  }

  get exchangeLimits(): ExchangeLimits {
    return this.#exchangeLimits;
  }

  /** Called before each call. Both objects stay the same until an admin changes them, so this is mostly a comparison. */
  update(defaults: ServerLimits, server: LimitedServer): void {
    if (defaults === this.#defaults && server === this.#server) return;
    // Failures at another URL do not count for this one.
    if (server.upstream?.url !== this.#server?.upstream?.url) this.#recover();
    this.#defaults = defaults;
    this.#server = server;
    this.#limits = { ...defaults, ...server.limits };
    this.#exchangeLimits = { ...this.#limits, maxBytes: this.#maxBytes };
  }

  /** No calls and no recorded failures, so nothing is lost when the bulkhead is dropped. */
  get isIdle(): boolean {
    return this.#inside + this.#deferred === 0 && this.#waiting.length === 0 && this.#failures === 0;
  }

  /** For metrics: the current load and the name of the server in them. */
  get load(): { server: string; inside: number; waiting: number; paused: number } {
    const paused = Number(this.#pausedUntil !== undefined);
    return { server: this.#meter.name, inside: this.#inside + this.#deferred, waiting: this.#waiting.length, paused };
  }

  /** Starts the call, queues it, or stops it with a fault. */
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
   * Lets another call in while this one waits for a person, which may take minutes. Only for a limited number: each
   * holds a connection, and the responses need connections too.
   */
  defer(call: AdmittedCall): void {
    if (call.stage !== "inside" || !this.canDefer(call)) return;
    call.stage = "deferred";
    this.#inside--;
    this.#deferred++;
    if (this.#probe === call) this.#probe = undefined;
    // An upstream that sends a request is up.
    this.#recover();
    this.#admitWaiting();
  }

  canDefer(call: AdmittedCall): boolean {
    return call.stage === "deferred" || this.#deferred < Math.min(this.#limits.concurrentCalls, MAX_DEFERRED);
  }

  /** Called once at the end of each call; does nothing for a call that was never admitted. */
  leave(call: AdmittedCall, signal: HealthSignal): void {
    const { stage } = call;
    call.stage = "outside";
    if (call.doneAt !== undefined) this.#meter.record(call.method, signal, (call.doneAt - call.startedAt) / 1000);
    if (stage === "waiting") this.#waiting.splice(this.#waiting.indexOf(call), 1);
    if (stage === "inside") this.#inside--;
    else if (stage === "deferred") this.#deferred--;
    else return;
    const wasProbe = this.#probe === call;
    if (wasProbe) this.#probe = undefined;
    if (signal === "up") this.#recover();
    else if (signal === "down") this.#countFailure(wasProbe);
    this.#admitWaiting();
  }

  /** Stops calls that have waited too long. */
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

  /** Also for the response to a call from before the pause: an upstream that responds is up. */
  #recover(): void {
    this.#failures = 0;
    this.#pauses = 0;
    this.#pausedUntil = undefined;
  }

  #countFailure(wasProbe: boolean): void {
    this.#failures++;
    const paused = this.#pausedUntil !== undefined;
    if (this.#failures < this.#limits.failuresUntilPause || (paused && !wasProbe)) return;
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, this.#limits.pauseMs);
    this.#pauses++;
    this.#pausedUntil = this.#clock.monotonic() + pauseMs;
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
    const when = seconds > 0 ? `retries in ${seconds} s` : "a trial call is in progress";
    return busy(`is paused after ${this.#failures} consecutive failures; ${when}`);
  }

  #fullFault(): UpstreamFault {
    return busy(`is busy (calls in progress: ${this.#inside}, queued: ${this.#waiting.length}); try again later`);
  }

  #waitedFault(): UpstreamFault {
    const seconds = Math.round(this.#limits.queueMs / 1000);
    const text = `is busy (calls in progress: ${this.#inside}); this call waited ${seconds} s`;
    return new UpstreamFault("timeout", text, { nothingSent: true });
  }
}

function busy(text: string): UpstreamFault {
  return new UpstreamFault("busy", text, { nothingSent: true });
}
