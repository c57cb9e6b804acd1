import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Databases, MainDb } from "#storage/database";
import { type Actor, type WriteAuthor, writeTransaction } from "#storage/transaction";
import { ReportQueue } from "./report-queue.ts";
import type { CheckedInThread, ReportThread } from "./thread/report-thread.ts";

/** Nothing of a report is audited. */
const AUTHOR: WriteAuthor = {
  actor: { kind: "system", id: "discovery", name: "AI discovery" },
  requestId: "discovery",
};

interface StoreContext {
  readonly databases: Databases;
  readonly clock: Clock;
  readonly newId: NewId;
  nextTurn(): Promise<void>;
}

/** Passes reports to the thread that checks and stores them, in transactions of this thread. */
export class StoreReports {
  readonly #context: StoreContext;
  readonly #thread: ReportThread;
  readonly #db: MainDb;
  readonly #queue: ReportQueue<CheckedInThread, Uint8Array>;

  constructor(context: StoreContext, thread: ReportThread) {
    this.#context = context;
    this.#thread = thread;
    this.#db = context.databases.mainIn(thread);
    this.#queue = new ReportQueue((reports) => this.#store(reports), context.nextTurn);
  }

  /** Stores a report, together with others that arrive concurrently. Resolves to the response. */
  async store(bytes: Uint8Array, actor: Actor): Promise<Uint8Array> {
    const report = await this.#thread.check(bytes, actor);
    try {
      return await this.#queue.add(report);
    } finally {
      this.#thread.forget(report);
    }
  }

  async stop(): Promise<void> {
    await this.#queue.settled();
    await this.#thread.close();
  }

  async #store(reports: readonly CheckedInThread[]): Promise<readonly Uint8Array[]> {
    const { clock, newId } = this.#context;
    const context = { db: this.#db, clock, newId };
    const { result } = await writeTransaction(context, AUTHOR, async (tx, trail) => {
      const { answers, events } = await this.#thread.store(tx, reports, clock.now());
      for (const { type, data } of events) trail.emit(type, data);
      return answers;
    });
    return result;
  }
}
