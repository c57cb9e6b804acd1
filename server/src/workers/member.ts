import type { ToWorker, WorkerReport } from "./messages.ts";
import type { WorkerProcess } from "./processes.ts";

/** How a worker process ended. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A worker ended before it served anything. */
export class WorkerDidNotStart extends Error {
  readonly exitCode: number;

  constructor(number: number, { code, signal }: End) {
    super(`worker ${number} did not start (${signal ?? `exit code ${code}`})`);
    this.name = "WorkerDidNotStart";
    this.exitCode = code || 1;
  }
}

/** One worker process. During a rolling restart, two have the same number. */
export class Member {
  readonly id: number;
  readonly number: number;
  readonly startedAt: number;
  readonly ended: Promise<End>;
  /** Rejects with WorkerDidNotStart. */
  readonly ready: Promise<WorkerReport>;
  hasJoined = false;
  report: WorkerReport | undefined;
  #process: WorkerProcess | undefined;
  readonly #ended = Promise.withResolvers<End>();
  readonly #ready = Promise.withResolvers<WorkerReport>();

  constructor(id: number, number: number, startedAt: number) {
    this.id = id;
    this.number = number;
    this.startedAt = startedAt;
    this.ended = this.#ended.promise;
    this.ready = this.#ready.promise;
    // The end of a worker is handled where it is noticed.
    this.ready.catch(() => {});
  }

  attach(process: WorkerProcess): void {
    this.#process = process;
  }

  get pid(): number {
    return this.#process?.pid ?? 0;
  }

  send(message: ToWorker): void {
    this.#process?.send(message);
  }

  kill(): void {
    this.#process?.kill();
  }

  becameReady(report: WorkerReport): void {
    this.report = report;
    this.#ready.resolve(report);
  }

  hasEnded(end: End): void {
    this.#ended.resolve(end);
    this.#ready.reject(new WorkerDidNotStart(this.number, end));
  }
}
