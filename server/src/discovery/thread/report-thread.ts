import { type Transferable, Worker } from "node:worker_threads";
import type { Clock, Timer } from "#lib/clock";
import { Refusal } from "#lib/errors";
import type { MainTransaction } from "#storage/database";
import { shareTransaction, statementError } from "#storage/shared-transaction";
import type {
  ReportToStore,
  ReportWorkerData,
  StoredReports,
  ThreadAnswer,
  ThreadFailure,
  ThreadRequest,
  UncheckedReport,
} from "./messages.ts";

/** A thread without work ends after this time. */
const IDLE_MS = 60_000;
/** Enough for every report of 5 MiB, whatever it contains. */
const MAX_HEAP_MB = 256;

/** Checks and stores reports in a worker thread, which starts with the first one (decisions 0164 and 0185). */
export class ReportThread {
  readonly #clock: Clock;
  readonly #data: ReportWorkerData;
  readonly #waiting = new Map<number, PromiseWithResolvers<ThreadAnswer>>();
  /** Reports that are checked and not forgotten. */
  readonly #checked = new Set<number>();
  #worker: Worker | undefined;
  #idleTimer: Timer | undefined;
  #lastId = 0;

  constructor(clock: Clock, data: ReportWorkerData) {
    this.#clock = clock;
    this.#data = data;
  }

  /** Resolves to the number under which the thread keeps the checked report, until `forget`. */
  async check(report: UncheckedReport): Promise<number> {
    const id = ++this.#lastId;
    await this.#send({ kind: "check", id, report });
    return id;
  }

  forget(checked: number): void {
    if (!this.#checked.delete(checked)) return;
    this.#worker?.postMessage({ kind: "forget", checked } satisfies ThreadRequest);
    this.#whenIdle();
  }

  /** Stores reports of different devices in this transaction. */
  store(tx: MainTransaction, reports: readonly ReportToStore[], now: number): Promise<StoredReports> {
    return shareTransaction(tx, async (transaction) => {
      const request = { kind: "store", id: ++this.#lastId, now, reports, transaction } as const;
      const answer = await this.#send(request, [transaction.port]);
      if (answer.kind !== "stored") throw new Error("reports were not stored");
      return answer.stored;
    });
  }

  /** Ends the thread when it has done everything that was sent to it. */
  async close(): Promise<void> {
    await Promise.allSettled([...this.#waiting.values()].map(({ promise }) => promise));
    this.#idleTimer?.cancel();
    await this.#worker?.terminate();
  }

  /** Rejects if the thread ends; the next request starts another one. */
  async #send(request: ThreadRequest & { readonly id: number }, moved: Transferable[] = []): Promise<ThreadAnswer> {
    const waiting = Promise.withResolvers<ThreadAnswer>();
    this.#idleTimer?.cancel();
    this.#waiting.set(request.id, waiting);
    this.#worker ??= this.#start();
    // While it works, the process waits for it.
    this.#worker.ref();
    this.#worker.postMessage(request, moved);
    const answer = await waiting.promise;
    if (answer.kind === "failed") throw errorOf(answer.failure);
    return answer;
  }

  #start(): Worker {
    // Without the flags of the main thread: some of them (--input-type, --test) stop a worker.
    const worker = new Worker(new URL("./start-report-worker.mjs", import.meta.url), {
      name: "discovery",
      execArgv: [],
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on("message", (answer: ThreadAnswer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
      if (answer.kind === "checked") this.#checked.add(answer.id);
      this.#whenIdle();
    });
    // `exit` follows and reports it to everything that waits.
    worker.on("error", () => {});
    worker.on("exit", () => {
      // Another one has started after this one was idle.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#checked.clear();
      for (const { reject } of this.#waiting.values()) reject(new Error("the thread for reports ended"));
      this.#waiting.clear();
    });
    return worker;
  }

  #whenIdle(): void {
    const worker = this.#worker;
    if (!worker || this.#waiting.size > 0) return;
    worker.unref();
    this.#idleTimer?.cancel();
    if (this.#checked.size > 0) return;
    this.#idleTimer = this.#clock.after(IDLE_MS, () => {
      this.#worker = undefined;
      void worker.terminate();
    });
  }
}

function errorOf({ message, refusal, statement }: ThreadFailure): Error {
  if (refusal) return new Refusal(refusal, message);
  return statement ? statementError(statement) : new Error(message);
}
