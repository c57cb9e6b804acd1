import { type Transferable, Worker } from "node:worker_threads";
import type { Clock, Timer } from "#lib/clock";
import { Refusal } from "#lib/errors";
import { explainMissingCode } from "#lib/load-on-use";
import type { MainTransaction } from "#storage/database";
import { shareTransaction, statementError } from "#storage/shared-transaction";
import type { SqliteHost } from "#storage/sqlite-thread";
import type { HostedFile } from "#storage/sqlite-worker";
import type { Actor } from "#storage/transaction";
import { Gather } from "./gather.ts";
import type {
  OpenFile,
  ReportWorkerData,
  StoredReports,
  ThreadAnswer,
  ThreadFailure,
  ThreadRequest,
  ThreadRequests,
} from "./messages.ts";

type CheckRequest = ThreadRequest & { readonly kind: "check" };

/** A thread without work ends after this time. */
const IDLE_MS = 60_000;
/** Enough for every report of 5 MiB, whatever it contains. */
const MAX_HEAP_MB = 256;

/** A report that the thread keeps until it is forgotten. */
export interface CheckedInThread {
  readonly id: number;
  /** As the device reports it. */
  readonly deviceId: string;
}

/** Checks and stores reports in a worker thread, which starts with the first one (decisions 0164, 0182 and 0185). */
export class ReportThread implements SqliteHost {
  readonly #clock: Clock;
  readonly #program: URL;
  readonly #data: ReportWorkerData;
  readonly #waiting = new Map<number, PromiseWithResolvers<ThreadAnswer>>();
  /** Reports that are checked and not forgotten. */
  readonly #checked = new Set<number>();
  /** Sent with the next requests. */
  #forgotten: number[] = [];
  readonly #unchecked = new Gather<CheckRequest>((requests) => this.#postUnchecked(requests));
  #worker: Worker | undefined;
  #idleTimer: Timer | undefined;
  #lastId = 0;

  constructor(clock: Clock, program: URL, data: ReportWorkerData) {
    this.#clock = clock;
    this.#program = program;
    this.#data = data;
  }

  /** Takes the memory of the bytes. The thread keeps the checked report until `forget`. */
  async check(bytes: Uint8Array, actor: Actor): Promise<CheckedInThread> {
    // Small buffers share memory, which cannot be taken.
    const hasOwnMemory = bytes.length > 0 && bytes.length === bytes.buffer.byteLength;
    const own = hasOwnMemory ? bytes : new Uint8Array(bytes);
    const request: CheckRequest = { kind: "check", id: ++this.#lastId, bytes: own, actor };
    const answered = this.#answerTo(request);
    this.#unchecked.add(request, own.length);
    const answer = await answered;
    if (answer.kind !== "checked") throw new Error("a report was not checked");
    return answer;
  }

  /** Those for which nothing waits were sent to a thread that has ended. */
  #postUnchecked(all: readonly CheckRequest[]): void {
    const requests = all.filter(({ id }) => this.#waiting.has(id));
    const moved = requests.map(({ bytes }) => bytes.buffer as ArrayBuffer);
    if (requests.length > 0) this.#post(requests, moved);
  }

  forget({ id }: CheckedInThread): void {
    if (!this.#checked.delete(id)) return;
    this.#forgotten.push(id);
    this.#whenIdle();
  }

  /** The thread stores reports through its own connection, until it ends (decision 0251). */
  openFile(file: HostedFile): void {
    this.#worker ??= this.#start();
    this.#worker.postMessage({ kind: "open", file } satisfies OpenFile, [file.port]);
  }

  /** Stores reports of different devices in this transaction of `Databases.mainIn`. */
  store(tx: MainTransaction, reports: readonly CheckedInThread[], now: number): Promise<StoredReports> {
    return shareTransaction(tx, async (transaction) => {
      const ids = reports.map(({ id }) => id);
      const moved = transaction.dialect === "postgres" ? [transaction.port] : [];
      const request: ThreadRequest = { kind: "store", id: ++this.#lastId, now, reports: ids, transaction };
      const answered = this.#answerTo(request);
      this.#post([request], moved);
      const answer = await answered;
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

  /** Starts the thread for a request that is sent next. Rejects if the thread ends; the next request starts another one. */
  async #answerTo({ id }: ThreadRequest): Promise<ThreadAnswer> {
    const waiting = Promise.withResolvers<ThreadAnswer>();
    this.#idleTimer?.cancel();
    this.#waiting.set(id, waiting);
    this.#worker ??= this.#start();
    // While it works, the process waits for it.
    this.#worker.ref();
    const answer = await waiting.promise;
    if (answer.kind === "failed") throw errorOf(answer.failure);
    return answer;
  }

  #post(requests: readonly ThreadRequest[], moved: Transferable[]): void {
    const message: ThreadRequests = { kind: "requests", requests, forgotten: this.#forgotten };
    this.#worker?.postMessage(message, moved);
    this.#forgotten = [];
  }

  #start(): Worker {
    // Without the flags of the main thread: some of them (--input-type, --test) stop a worker.
    const worker = new Worker(this.#program, {
      name: "discovery",
      execArgv: [],
      workerData: this.#data,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    });
    worker.on("message", (answers: readonly ThreadAnswer[]) => {
      for (const answer of answers) {
        this.#waiting.get(answer.id)?.resolve(answer);
        this.#waiting.delete(answer.id);
        if (answer.kind === "checked") this.#checked.add(answer.id);
      }
      this.#whenIdle();
    });
    let failure: unknown = new Error("the thread for reports ended");
    // `exit` follows and reports it to everything that waits.
    worker.on("error", (error) => {
      failure = explainMissingCode(error);
    });
    worker.on("exit", () => {
      // Another one has started after this one was idle.
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#checked.clear();
      for (const { reject } of this.#waiting.values()) reject(failure);
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
