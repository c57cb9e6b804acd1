import { Worker } from "node:worker_threads";
import type { Clock, Timer } from "#lib/clock";
import type { GivenReport } from "../check-report.ts";
import type { CheckedReport } from "../report.ts";
import type { CheckAnswer, CheckRequest } from "./messages.ts";

type Waiting = PromiseWithResolvers<CheckedReport>;

/** A thread without work ends after this time. */
const IDLE_MS = 60_000;
/** Enough for every report of 5 MiB, whatever it contains. */
const MAX_HEAP_MB = 256;

/** Checks reports in a worker thread, which starts with the first one (decision 0164). */
export class CheckThread {
  readonly #clock: Clock;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idleTimer: Timer | undefined;
  #lastId = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Rejects if the thread ends; the next report starts another one. */
  check(given: GivenReport, content: string): Promise<CheckedReport> {
    const { report_id, scanned_at } = given;
    const request: CheckRequest = { id: ++this.#lastId, head: { report_id, scanned_at }, content };
    const waiting = Promise.withResolvers<CheckedReport>();
    this.#idleTimer?.cancel();
    this.#waiting.set(request.id, waiting);
    this.#worker ??= this.#start();
    // While it works, the process waits for it.
    this.#worker.ref();
    this.#worker.postMessage(request);
    return waiting.promise;
  }

  /** Ends the thread when it has checked everything that was sent to it. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#waiting.values()].map(({ promise }) => promise));
    this.#idleTimer?.cancel();
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // Without the flags of the main thread: some of them (--input-type, --test) stop a worker.
    const worker = new Worker(new URL("./start-check-worker.mjs", import.meta.url), {
      name: "discovery",
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on("message", (answer: CheckAnswer) => this.#receive(worker, answer));
    // `exit` follows and reports it to everything that waits.
    worker.on("error", () => {});
    worker.on("exit", () => {
      // Another one has started after this one was idle.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error("the thread that checks reports ended"));
      this.#waiting.clear();
    });
    return worker;
  }

  #receive(worker: Worker, answer: CheckAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if ("report" in answer) waiting?.resolve(answer.report);
    else waiting?.reject(new Error(`a report could not be checked: ${answer.error}`));
    if (this.#waiting.size > 0) return;
    worker.unref();
    this.#idleTimer = this.#clock.after(IDLE_MS, () => {
      this.#worker = undefined;
      void worker.terminate();
    });
  }
}
