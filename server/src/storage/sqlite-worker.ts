import { statSync } from "node:fs";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Lru } from "#lib/lru";
import { setThreadPriority, type ThreadPriority } from "#lib/thread-priority";
import { BEGIN_WRITING, FOR_EACH_ROW, type StoredRow, type StoredValue } from "./stored-values.ts";

/**
 * Serves one SQLite file in a worker thread, and is the only importer of `node:sqlite`: its calls are synchronous, so on
 * the event loop a single slow query would block every tool call.
 */
export type SqliteTarget = "read" | "write";

export interface SqliteRequest {
  id: number;
  target: SqliteTarget;
  sql: string;
  parameters: readonly StoredValue[];
}

/** Rows are sent as arrays: they are cheaper to clone, and the main thread creates plain objects from them anyway. */
export interface SqliteRows {
  columns: readonly { name: string; type: string | null }[];
  rows: readonly (readonly SQLOutputValue[])[];
  changes: number;
}

export type SqliteMessage =
  | { kind: "ready" }
  | { kind: "rows"; id: number; result: SqliteRows }
  | { kind: "failure"; id: number; message: string; code: string | undefined; errcode: number | undefined };

interface SqliteFile {
  path: string;
  /** Undefined for a thread that only reads. */
  durability: SqliteDurability | undefined;
}

export interface SqliteWorkerData extends Omit<SqliteFile, "path"> {
  /** Undefined for a thread that only holds the lock. */
  path: string | undefined;
  /** A file that this thread locks while it runs; undefined if other processes may use the database too. */
  lockPath: string | undefined;
  priority: ThreadPriority;
}

/** A file for a thread with other work, which answers the requests that arrive at the port (decision 0251). */
export interface HostedFile extends SqliteFile {
  readonly port: MessagePort;
}

/**
 * `power-loss`: an acknowledged commit is on the disk. `process-crash`: it is in the operating system's cache, so
 * `kill -9` loses none, but a crash of the machine can lose the last ones. Neither corrupts the file.
 */
export type SqliteDurability = "power-loss" | "process-crash";

interface Prepared {
  statement: StatementSync;
  columns: SqliteRows["columns"];
}

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_PER_CONNECTION = 500;
const SQLITE_BUSY = 5;
const INCREMENTAL_VACUUM = "PRAGMA incremental_vacuum";
/** After a burst of writes, the write-ahead log shrinks to this size again. */
const MAX_WAL_BYTES = 64 * 1024 * 1024;
/** Used only when much is written. With the default of 2 MB, a batch of reports reads the same pages repeatedly (decision 0188). */
const WRITER_CACHE_KIB = 16 * 1024;

export class Connection {
  readonly #database: DatabaseSync;
  #begun = 0;
  readonly #prepared = new Lru<Prepared>(STATEMENTS_PER_CONNECTION);

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** A different number for each transaction. Undefined while none is open. */
  get openTransaction(): number | undefined {
    return this.#database.isTransaction ? this.#begun : undefined;
  }

  run(sql: string, parameters: readonly StoredValue[]): SqliteRows {
    // After some errors (disk full, I/O) SQLite has rolled back already; the error of a second ROLLBACK would hide
    // them.
    if (sql === "ROLLBACK" && !this.#database.isTransaction) return { columns: [], rows: [], changes: 0 };
    if (sql.startsWith(FOR_EACH_ROW)) return this.runForEachRow(sql, JSON.parse(String(parameters[0])));
    if (sql === BEGIN_WRITING) this.#begun++;
    const prepared = this.#prepare(sql);
    const inputs = parameters.map(toInput);
    if (sql.startsWith(INCREMENTAL_VACUUM)) {
      // Each step frees one page, and `run` takes only one step.
      const pages = prepared.statement.all();
      return { columns: [], rows: [], changes: pages.length };
    }
    if (prepared.columns.length === 0) {
      return { columns: [], rows: [], changes: Number(prepared.statement.run(...inputs).changes) };
    }
    // `all` is typed for objects; setReturnArrays(true) in #prepare makes every row an array.
    const rows = prepared.statement.all(...inputs) as unknown as SQLOutputValue[][];
    // Another process may have added a column behind a `*`. SQLite prepares again automatically; the names must follow.
    if (rows[0] && rows[0].length !== prepared.columns.length) prepared.columns = columnsOf(prepared.statement);
    return { columns: prepared.columns, rows, changes: rows.length };
  }

  /** The column affinity converts whole numbers to integers, so no conversion is needed here. */
  runForEachRow(sql: string, rows: readonly StoredRow[]): SqliteRows {
    const { statement } = this.#prepare(sql.slice(FOR_EACH_ROW.length));
    let changes = 0;
    for (const row of rows) changes += Number(statement.run(...row).changes);
    return { columns: [], rows: [], changes };
  }

  #prepare(sql: string): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const statement = this.#database.prepare(sql);
    statement.setReturnArrays(true);
    const prepared = { statement, columns: columnsOf(statement) };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /**
   * Moves the write-ahead log into the file, if no other process is reading it. Writes of the service wait for that, so
   * commands that write nothing, such as a backup, do not do it.
   */
  emptyLog(): void {
    try {
      if (this.#database.prepare("SELECT total_changes() AS changes").get()?.changes === 0) return;
      this.#database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    } catch {
      // The log remains, and the next connection reads it.
    }
  }

  close(): void {
    this.#prepared.clear();
    this.#database.close();
  }
}

function columnsOf(statement: StatementSync): SqliteRows["columns"] {
  return statement.columns().map(({ name, type }) => ({ name, type }));
}

/** Whole numbers are bound as integers: node:sqlite binds every number as REAL, and `7 / ?` would then differ from Postgres. */
function toInput(value: StoredValue): SQLInputValue {
  if (typeof value === "boolean") return value ? 1n : 0n;
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

function openWriter(path: string, durability: SqliteDurability): Connection {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  // Only a new file takes this setting over, and an existing one would be written. Files of earlier releases are
  // rewritten when it is worth it.
  if (statSync(path).size === 0) database.exec("PRAGMA auto_vacuum = INCREMENTAL");
  enterWal(database);
  database.exec(`PRAGMA journal_size_limit = ${MAX_WAL_BYTES}`);
  database.exec(`PRAGMA cache_size = -${WRITER_CACHE_KIB}`);
  database.exec(`PRAGMA synchronous = ${durability === "power-loss" ? "FULL" : "NORMAL"}`);
  return new Connection(database);
}

/**
 * SQLite reports BUSY immediately, without its busy timeout, when two processes switch a new file to WAL concurrently.
 */
function enterWal(database: DatabaseSync): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let attemptsLeft = BUSY_TIMEOUT_MS / 10; ; attemptsLeft--) {
    try {
      database.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (error) {
      if (attemptsLeft === 0 || (numberOf(error, "errcode") ?? 0) % 256 !== SQLITE_BUSY) throw error;
      Atomics.wait(pause, 0, 0, 10);
    }
  }
}

/**
 * Holds an exclusive lock of the operating system, which ends with the process however it ends. SQLite is the only
 * locking that Node offers; nothing is ever written to the file.
 */
function lockFile(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // A journal file could not be written on a full disk.
    database.exec("PRAGMA journal_mode = MEMORY");
    database.exec("BEGIN EXCLUSIVE");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function openReader(path: string): Connection {
  const database = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS });
  // Opens the write-ahead log, so that this connection is its last user; see `serve`.
  database.prepare("SELECT count(*) FROM sqlite_master").get();
  return new Connection(database);
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;
}

function numberOf(error: unknown, name: string): number | undefined {
  const value = fieldOf(error, name);
  return typeof value === "number" ? value : undefined;
}

export function describeFailure(error: unknown): Omit<SqliteMessage & { kind: "failure" }, "kind" | "id"> {
  const code = fieldOf(error, "code");
  return {
    message: error instanceof Error ? error.message : String(error),
    code: typeof code === "string" ? code : undefined,
    errcode: numberOf(error, "errcode"),
  };
}

/** Answers requests until `close`. Returns the connection that writes. */
function serve(port: MessagePort, { path, durability }: SqliteFile, lock?: DatabaseSync): Connection | undefined {
  const write = durability === undefined ? undefined : openWriter(path, durability);
  const read = openReader(path);
  const handle = (request: SqliteRequest) => {
    try {
      const connection = request.target === "read" ? read : write;
      if (!connection) throw new Error("this database thread only reads");
      const result = connection.run(request.sql, request.parameters);
      port.postMessage({ kind: "rows", id: request.id, result } satisfies SqliteMessage);
    } catch (error) {
      port.postMessage({ kind: "failure", id: request.id, ...describeFailure(error) } satisfies SqliteMessage);
    }
  };
  port.on("message", (request: SqliteRequest | "close") => {
    if (request === "close") {
      // The connection that only reads closes last, because it cannot delete the -wal and -shm files. Without them,
      // SQLite could not open the file on a full disk.
      write?.emptyLog();
      write?.close();
      read.close();
      lock?.close();
      port.close();
      return;
    }
    handle(request);
  });
  port.postMessage({ kind: "ready" } satisfies SqliteMessage);
  return write;
}

/** Serves a file next to other work of this thread. Undefined if it cannot be opened; the port reports the reason. */
export function hostFile({ port, ...file }: HostedFile): Connection | undefined {
  try {
    return serve(port, file);
  } catch (error) {
    port.postMessage({ kind: "failure", id: 0, ...describeFailure(error) } satisfies SqliteMessage);
    port.close();
    return undefined;
  }
}

/** The program of a thread that only serves a file or holds a lock. */
export function serveInWorker(): void {
  if (!parentPort) return;
  const port = parentPort;
  // sqlite-thread.ts passes workerData when it starts this thread.
  const { path, durability, lockPath, priority } = workerData as SqliteWorkerData;
  const lock = lockPath === undefined ? undefined : lockFile(lockPath);
  if (path !== undefined) {
    setThreadPriority(priority);
    serve(port, { path, durability }, lock);
    return;
  }
  port.on("message", () => {
    lock?.close();
    port.close();
  });
  port.postMessage({ kind: "ready" } satisfies SqliteMessage);
}
