import { cpus } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** Work of this much processor time is followed by a pause. */
const WORK_MS = 25;
/** A pause lasts this many times as long as the work before it. */
const PAUSE_FACTOR = 3;
/** Others need the processors if they use this share of all. */
const BUSY_SHARE = 0.25;
/** How often that is measured. Linux counts in units of 10 ms, so a shorter time would be inexact. */
const MEASURE_MS = 200;

/** Processor time in milliseconds since the computer started. */
interface ProcessorTime {
  readonly used: number;
  readonly unused: number;
}

/** Readings of the system. Tests pass their own. */
export interface Processors {
  now(): number;
  /** Processor time of this process, with all its threads. */
  own(): number;
  /** Processor time of all processes. */
  all(): ProcessorTime;
  sleep(ms: number): Promise<unknown>;
}

const SYSTEM: Processors = {
  now: () => performance.now(),
  own() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  },
  all() {
    let [used, unused] = [0, 0];
    for (const { times } of cpus()) {
      used += times.user + times.nice + times.sys + times.irq;
      unused += times.idle;
    }
    return { used, unused };
  },
  sleep: (ms) => sleep(ms),
};

/**
 * Limits this process to a quarter of one processor while other processes need the processors. A low priority is not
 * enough: Linux leaves one processor to a process of the lowest priority and lets the others share the rest (decision 0187).
 */
export class ProcessorShare {
  readonly #system: Processors;
  /** At the end of the last pause. */
  #pausedAt: number;
  #measured: { readonly at: number; readonly own: number; readonly all: ProcessorTime };
  /** Until the first measurement, others count as busy. */
  #areOthersBusy = true;

  constructor(system = SYSTEM) {
    this.#system = system;
    this.#pausedAt = system.own();
    this.#measured = { at: system.now(), own: system.own(), all: system.all() };
  }

  /** Called after each piece of work. Pauses if that is due. */
  async afterWork(): Promise<void> {
    const workedMs = this.#system.own() - this.#pausedAt;
    if (workedMs < WORK_MS) return;
    if (this.#system.now() - this.#measured.at >= MEASURE_MS) this.#measure();
    if (this.#areOthersBusy) await this.#system.sleep(workedMs * PAUSE_FACTOR);
    this.#pausedAt = this.#system.own();
  }

  #measure(): void {
    const [since, own, all] = [this.#measured, this.#system.own(), this.#system.all()];
    const usedMs = all.used - since.all.used;
    const othersMs = usedMs - (own - since.own);
    this.#areOthersBusy = othersMs > (usedMs + all.unused - since.all.unused) * BUSY_SHARE;
    this.#measured = { at: this.#system.now(), own, all };
  }
}
