import { Worker } from "node:worker_threads";
import type { Clock, Timer } from "#lib/clock";
import { explainMissingCode } from "#lib/load-on-use";
import type { CompiledGuard } from "../compile.ts";
import type { GuardError } from "../evaluation.ts";
import type { GuardSet } from "../guard-set.ts";
import type { ScanInput, ScanResult } from "../scan.ts";
import type { ExtractLimits } from "../text/extract.ts";
import { MAX_SETS, type ScanAnswer, type ScanRequest } from "./messages.ts";

export interface ScanJob {
  readonly set: GuardSet;
  readonly guards: readonly CompiledGuard[];
  readonly input: Omit<ScanInput, "bytes" | "base">;
  /** The position of the JSON value in its message. */
  readonly base: number;
  /** Makes a copy for the worker. Called when one is free, so that payloads that wait take no additional memory. */
  copyBytes(): Promise<Uint8Array<ArrayBuffer>>;
  readonly limits: ExtractLimits;
  readonly wantsLeaves: boolean;
}

export interface ScanPoolOptions {
  readonly clock: Clock;
  readonly workers: number;
  /** Jobs that wait for a worker; more are refused. */
  readonly maxWaiting: number;
  /** From the submission to the answer. */
  readonly limitMs: number;
  /** Memory of a worker. Default: 256 MB. */
  readonly maxHeapMb?: number;
  readonly threadFailed?: (error: unknown) => void;
}

interface Waiting {
  readonly job: ScanJob;
  readonly until: number;
  readonly settle: (outcome: ScanResult | GuardError) => void;
}

interface Running extends Waiting {
  readonly id: number;
  readonly timer: Timer;
}

/** How long after its limit a worker may take to notice it, before it is terminated. */
const GRACE_MS = 250;
const DEFAULT_HEAP_MB = 256;
/** A worker without work ends after this time. */
const IDLE_MS = 60_000;

/** Examines payloads in worker threads. A worker that hangs or crashes affects only the payload that it has. */
export class ScanPool {
  readonly #options: ScanPoolOptions;
  readonly #idle: PoolWorker[] = [];
  readonly #all = new Set<PoolWorker>();
  readonly #waiting: Waiting[] = [];
  #closed = false;

  constructor(options: ScanPoolOptions) {
    this.#options = options;
  }

  /** Resolves to an error if the payload could not be examined; never rejects. */
  scan(job: ScanJob): Promise<ScanResult | GuardError> {
    const { clock, limitMs, maxWaiting } = this.#options;
    return new Promise((settle) => {
      if (this.#closed || this.#waiting.length >= maxWaiting) return settle("overloaded");
      this.#waiting.push({ job, until: clock.monotonic() + limitMs, settle });
      this.#assign();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { settle } of this.#waiting.splice(0)) settle("overloaded");
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  #assign(): void {
    while (this.#waiting.length > 0) {
      const worker = this.#idle.pop() ?? this.#start();
      const next = worker === undefined ? undefined : this.#waiting.shift();
      if (worker === undefined || next === undefined) return;
      if (next.until <= this.#options.clock.monotonic()) {
        this.#idle.push(worker);
        next.settle("timeout");
      } else {
        worker.run(next);
      }
    }
  }

  #start(): PoolWorker | undefined {
    if (this.#all.size >= this.#options.workers) return undefined;
    const { clock, maxHeapMb = DEFAULT_HEAP_MB } = this.#options;
    const worker = new PoolWorker(clock, maxHeapMb, {
      idle: () => {
        this.#idle.push(worker);
        this.#assign();
      },
      ended: () => {
        this.#all.delete(worker);
        const at = this.#idle.indexOf(worker);
        if (at >= 0) this.#idle.splice(at, 1);
        if (!this.#closed) this.#assign();
      },
      failed: (error) => this.#options.threadFailed?.(explainMissingCode(error)),
    });
    this.#all.add(worker);
    return worker;
  }
}

interface PoolListener {
  idle(): void;
  ended(): void;
  failed(error: unknown): void;
}

class PoolWorker {
  readonly #clock: Clock;
  readonly #listener: PoolListener;
  readonly #worker: Worker;
  /** The sets that the thread has, oldest first. */
  readonly #sets = new Map<GuardSet, number>();
  #lastId = 0;
  #running: Running | undefined;
  #idleTimer: Timer | undefined;

  constructor(clock: Clock, maxHeapMb: number, listener: PoolListener) {
    this.#clock = clock;
    this.#listener = listener;
    // Without the flags of the main thread: some of them (--input-type, --test) stop a worker.
    this.#worker = new Worker(new URL("./start-scan-worker.mjs", import.meta.url), {
      name: "guards",
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
    });
    this.#worker.unref();
    this.#worker.on("message", (answer: ScanAnswer) => this.#receive(answer));
    this.#worker.on("error", (error) => {
      listener.failed(error);
      this.#finish("failed");
    });
    this.#worker.on("exit", () => {
      this.#finish("failed");
      listener.ended();
    });
  }

  run(next: Waiting): void {
    this.#idleTimer?.cancel();
    const { job, until } = next;
    const id = ++this.#lastId;
    const limitMs = Math.max(1, until - this.#clock.monotonic());
    const timer = this.#clock.after(limitMs + GRACE_MS, () => {
      this.#finish("timeout");
      void this.terminate();
    });
    this.#running = { ...next, id, timer };
    // While it works, the process waits for it.
    this.#worker.ref();
    job.copyBytes().then(
      (bytes) => this.#post(this.#request(job, id, until, bytes)),
      () => this.#receive({ id, kind: "failed" }),
    );
  }

  #post(request: ScanRequest): void {
    if (this.#running?.id === request.id) this.#worker.postMessage(request, [request.input.bytes.buffer]);
  }

  async terminate(): Promise<void> {
    await this.#worker.terminate();
  }

  #request(job: ScanJob, id: number, until: number, bytes: Uint8Array<ArrayBuffer>): ScanRequest {
    const { set, guards, input, base, limits, wantsLeaves } = job;
    const limitMs = Math.max(1, until - this.#clock.monotonic());
    const known = this.#sets.get(set);
    const setId = known ?? id;
    if (known === undefined) {
      const oldest = this.#sets.size < MAX_SETS ? undefined : this.#sets.keys().next().value;
      if (oldest !== undefined) this.#sets.delete(oldest);
      this.#sets.set(set, setId);
    }
    return {
      ...{ id, set: setId, limits, limitMs, wantsLeaves },
      definitions: known === undefined ? set.definitions : undefined,
      guards: guards.map(({ index }) => index),
      input: { ...input, base, bytes },
    };
  }

  #receive(answer: ScanAnswer): void {
    if (this.#running?.id !== answer.id) return;
    this.#worker.unref();
    this.#finish(answer.kind === "scanned" ? answer.result : answer.kind);
    this.#idleTimer = this.#clock.after(IDLE_MS, () => void this.terminate());
    this.#listener.idle();
  }

  #finish(outcome: ScanResult | GuardError): void {
    const running = this.#running;
    this.#running = undefined;
    running?.timer.cancel();
    running?.settle(outcome);
  }
}
