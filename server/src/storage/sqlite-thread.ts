import { MessageChannel, type MessagePort, Worker } from "node:worker_threads";
import { explainMissingCode } from "#lib/load-on-use";
import { THREAD_PRIORITIES } from "#lib/thread-priority";
import type {
  SqliteDurability,
  SqliteMessage,
  SqliteRequest,
  SqliteRows,
  SqliteShare,
  SqliteTarget,
  SqliteWorkerData,
} from "./sqlite-worker.ts";
import type { StoredValue } from "./stored-values.ts";

/** An error reported by SQLite; `errcode` is its extended result code. */
export class SqliteError extends Error {
  readonly code: string | undefined;
  readonly errcode: number | undefined;

  constructor(message: string, code: string | undefined, errcode: number | undefined) {
    super(message);
    this.name = "SqliteError";
    this.code = code;
    this.errcode = errcode;
  }
}

/** The file is not a database, is damaged, or is locked. Printed as one line. */
export class UnreadableDatabase extends Error {
  constructor(path: string | undefined, cause: unknown) {
    super(`Cannot open the database ${path}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    this.name = "UnreadableDatabase";
  }
}

/** The thread has ended: `close` was called, or it died. */
export class SqliteThreadGone extends Error {
  constructor(message: string, options?: { cause: unknown }) {
    super(message, options);
    this.name = "SqliteThreadGone";
  }
}

/** A port for `SqliteRequest`s of another thread. After `end` it runs none. */
export interface SharedStatements {
  readonly port: MessagePort;
  end(): void;
}

interface Pending {
  resolve(result: SqliteRows): void;
  reject(error: Error): void;
}

/** The main thread's interface to one SQLite file. Requests are answered in the order in which they were sent. */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #pending = new Map<number, Pending>();
  readonly #exited: Promise<void>;
  #lastId = 0;
  #gone: SqliteThreadGone | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (message: SqliteMessage) => this.#receive(message));
    worker.on("error", (cause: unknown) => this.#fail(new SqliteThreadGone("The database thread failed", { cause })));
    this.#exited = new Promise((resolve) => {
      worker.on("exit", () => {
        this.#fail(new SqliteThreadGone("The database thread has ended"));
        resolve();
      });
    });
  }

  /** Opens a file that exists for reading only. */
  static openReader(path: string): Promise<SqliteThread> {
    return SqliteThread.#start({
      path,
      durability: undefined,
      lockPath: undefined,
      priority: THREAD_PRIORITIES.longQuery,
    });
  }

  /** With a `lockPath`, rejects if another thread or process has locked that file. */
  static open(path: string, durability: SqliteDurability, lockPath?: string): Promise<SqliteThread> {
    return SqliteThread.#start({ path, durability, lockPath, priority: THREAD_PRIORITIES.query });
  }

  /** Opens a file that another thread has open, for work that runs only while processors are idle (decision 0202). */
  static openInBackground(path: string, durability: SqliteDurability): Promise<SqliteThread> {
    return SqliteThread.#start({ path, durability, lockPath: undefined, priority: THREAD_PRIORITIES.background });
  }

  /** Locks the file and opens no database. Rejects like `open`. */
  static lock(lockPath: string): Promise<SqliteThread> {
    return SqliteThread.#start({
      path: undefined,
      durability: undefined,
      lockPath,
      priority: THREAD_PRIORITIES.query,
    });
  }

  static async #start(workerData: SqliteWorkerData): Promise<SqliteThread> {
    const path = workerData.path ?? workerData.lockPath;
    // Without the flags of the main thread: some of them (--input-type, --test) stop a worker.
    const worker = new Worker(new URL("./start-sqlite-worker.mjs", import.meta.url), {
      workerData,
      name: "sqlite",
      execArgv: [],
    });
    await new Promise<void>((resolve, reject) => {
      worker.once("message", () => resolve());
      worker.once("error", (cause) => {
        const error = explainMissingCode(cause);
        reject(error === cause ? new UnreadableDatabase(path, cause) : error);
      });
    });
    return new SqliteThread(worker);
  }

  run(target: SqliteTarget, sql: string, parameters: readonly StoredValue[] = []): Promise<SqliteRows> {
    return new Promise((resolve, reject) => {
      if (this.#gone) {
        reject(this.#gone);
        return;
      }
      const request: SqliteRequest = { id: ++this.#lastId, target, sql, parameters };
      this.#worker.postMessage(request);
      this.#pending.set(request.id, { resolve, reject });
    });
  }

  /** For the open transaction: the caller ends it before the transaction. */
  share(): SharedStatements {
    const { port1, port2 } = new MessageChannel();
    const share = ++this.#lastId;
    this.#worker.postMessage({ share, port: port2 } satisfies SqliteShare, [port2]);
    return { port: port1, end: () => this.#worker.postMessage({ share } satisfies SqliteShare) };
  }

  /** Ends the thread after all earlier requests; later requests are rejected. */
  async close(): Promise<void> {
    if (!this.#gone) {
      this.#gone = new SqliteThreadGone("The database is closed");
      this.#worker.postMessage("close");
    }
    await this.#exited;
  }

  #receive(message: SqliteMessage): void {
    if (message.kind === "ready") return;
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    if (message.kind === "rows") pending?.resolve(message.result);
    else pending?.reject(new SqliteError(message.message, message.code, message.errcode));
  }

  #fail(error: SqliteThreadGone): void {
    this.#gone ??= error;
    for (const { reject } of this.#pending.values()) reject(this.#gone);
    this.#pending.clear();
  }
}
