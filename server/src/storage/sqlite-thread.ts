import { MessageChannel, MessagePort, Worker } from "node:worker_threads";
import { explainMissingCode } from "#lib/load-on-use";
import { THREAD_PRIORITIES } from "#lib/thread-priority";
import type {
  HostedFile,
  SqliteDurability,
  SqliteMessage,
  SqliteRequest,
  SqliteRows,
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

/** A thread with other work that opens a file and runs statements of its transactions without messages (decision 0251). */
export interface SqliteHost {
  openFile(file: HostedFile): void;
}

interface Pending {
  resolve(result: SqliteRows): void;
  reject(error: Error): void;
}

/** The main thread's interface to the thread that serves one SQLite file. Requests are answered in the order in which they were sent. */
export class SqliteThread {
  readonly #channel: Worker | MessagePort;
  /** Whether the thread can run statements of a transaction that was begun here. */
  readonly isHost: boolean;
  readonly #pending = new Map<number, Pending>();
  readonly #ended: Promise<void>;
  #lastId = 0;
  #gone: SqliteThreadGone | undefined;

  private constructor(channel: Worker | MessagePort) {
    this.#channel = channel;
    this.isHost = channel instanceof MessagePort;
    channel.on("message", (message: SqliteMessage) => this.#receive(message));
    channel.on("error", (cause: unknown) => this.#fail(new SqliteThreadGone("The database thread failed", { cause })));
    this.#ended = new Promise((resolve) => {
      channel.on(this.isHost ? "close" : "exit", () => {
        this.#fail(new SqliteThreadGone("The database thread has ended"));
        resolve();
      });
    });
  }

  get isGone(): boolean {
    return this.#gone !== undefined;
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

  /** Opens a file that another thread has open, in a thread with other work. */
  static async openIn(host: SqliteHost, path: string, durability: SqliteDurability): Promise<SqliteThread> {
    const { port1: own, port2: port } = new MessageChannel();
    host.openFile({ path, durability, port });
    await new Promise<void>((resolve, reject) => {
      own.once("message", (message: SqliteMessage) => {
        if (message.kind === "failure") reject(new UnreadableDatabase(path, new Error(message.message)));
        else resolve();
      });
      own.once("close", () => reject(new SqliteThreadGone("The database thread has ended")));
    });
    return new SqliteThread(own);
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
      this.#channel.postMessage(request);
      this.#pending.set(request.id, { resolve, reject });
    });
  }

  /** Ends the thread after all earlier requests; later requests are rejected. */
  async close(): Promise<void> {
    if (!this.#gone) {
      this.#gone = new SqliteThreadGone("The database is closed");
      this.#channel.postMessage("close");
    }
    await this.#ended;
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
