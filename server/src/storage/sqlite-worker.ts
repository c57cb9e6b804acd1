import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { DatabaseSync, type SQLInputValue, type SQLOutputValue, type StatementSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { Lru } from "#lib/lru";
import { FOR_EACH_ROW, type StoredValue } from "./stored-values.ts";

/**
 * The thread in which one SQLite file lives, and the only importer of `node:sqlite`: its calls are synchronous, so on
 * the event loop a single slow query would hold up every tool call.
 */
export type SqliteTarget = "read" | "write";

export interface SqliteRequest {
  id: number;
  target: SqliteTarget;
  sql: string;
  parameters: readonly StoredValue[];
}

/** Rows travel as arrays: cheaper to clone, and the main thread makes plain objects of them anyway. */
export interface SqliteRows {
  columns: readonly { name: string; type: string | null }[];
  rows: readonly (readonly SQLOutputValue[])[];
  changes: number;
}

export type SqliteMessage =
  | { kind: "ready" }
  | { kind: "rows"; id: number; result: SqliteRows }
  | { kind: "failure"; id: number; message: string; code: string | undefined; errcode: number | undefined };

export interface SqliteWorkerData {
  path: string;
}

interface Prepared {
  statement: StatementSync;
  columns: SqliteRows["columns"];
}

const BUSY_TIMEOUT_MS = 5_000;
const STATEMENTS_PER_CONNECTION = 500;
const SQLITE_BUSY = 5;
/** Of `nice`: on a busy machine, whoever calls tools goes before whoever searches a long list. */
const YIELDING_PRIORITY = 10;

class Connection {
  readonly #database: DatabaseSync;
  readonly #prepared = new Lru<Prepared>(STATEMENTS_PER_CONNECTION);

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  run(sql: string, parameters: readonly StoredValue[]): SqliteRows {
    // Some errors (disk full, I/O) have rolled back already; a second ROLLBACK would hide them behind its own error.
    if (sql === "ROLLBACK" && !this.#database.isTransaction) return { columns: [], rows: [], changes: 0 };
    if (sql.startsWith(FOR_EACH_ROW)) return this.#runForEachRow(sql.slice(FOR_EACH_ROW.length), parameters);
    const prepared = this.#prepare(sql);
    const inputs = parameters.map(toInput);
    if (prepared.columns.length === 0) {
      return { columns: [], rows: [], changes: Number(prepared.statement.run(...inputs).changes) };
    }
    // `all` is typed for objects; setReturnArrays(true) in #prepare makes every row an array.
    const rows = prepared.statement.all(...inputs) as unknown as SQLOutputValue[][];
    // Another process may have added a column behind a `*`; SQLite prepares anew by itself, the names must follow.
    if (rows[0] && rows[0].length !== prepared.columns.length) prepared.columns = columnsOf(prepared.statement);
    return { columns: prepared.columns, rows, changes: rows.length };
  }

  /** The columns' affinity makes integers of whole numbers, so they need no conversion here. */
  #runForEachRow(sql: string, [rows]: readonly StoredValue[]): SqliteRows {
    const { statement } = this.#prepare(sql);
    let changes = 0;
    for (const row of JSON.parse(String(rows)) as SQLInputValue[][]) changes += Number(statement.run(...row).changes);
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

function openWriter(path: string): Connection {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS, enableForeignKeyConstraints: true });
  enterWal(database);
  // A commit is in the operating system's hands when it is acknowledged, so kill -9 loses none. Only a crash of the
  // machine may lose the last ones, and never the file's consistency.
  database.exec("PRAGMA synchronous = NORMAL");
  return new Connection(database);
}

/** SQLite answers BUSY at once, without its busy timeout, when two processes turn a new file to WAL together. */
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

function openReader(path: string): Connection {
  return new Connection(new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT_MS }));
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null && name in error ? Reflect.get(error, name) : undefined;
}

function numberOf(error: unknown, name: string): number | undefined {
  const value = fieldOf(error, name);
  return typeof value === "number" ? value : undefined;
}

function failureOf(id: number, error: unknown): SqliteMessage {
  const code = fieldOf(error, "code");
  return {
    kind: "failure",
    id,
    message: error instanceof Error ? error.message : String(error),
    code: typeof code === "string" ? code : undefined,
    errcode: numberOf(error, "errcode"),
  };
}

/** Linux lets each thread have a priority of its own. Elsewhere, and where it is forbidden, all stay equal. */
function yieldToCalls(): void {
  try {
    const thread = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(thread, YIELDING_PRIORITY);
  } catch {
    // Nothing depends on it but how evenly a machine without a free core serves.
  }
}

function serve(port: NonNullable<typeof parentPort>, { path }: SqliteWorkerData): void {
  yieldToCalls();
  const connections = { write: openWriter(path), read: openReader(path) };
  const answer = (message: SqliteMessage) => port.postMessage(message);
  port.on("message", (request: SqliteRequest | "close") => {
    if (request === "close") {
      connections.read.close();
      connections.write.close();
      port.close();
      return;
    }
    try {
      const result = connections[request.target].run(request.sql, request.parameters);
      answer({ kind: "rows", id: request.id, result });
    } catch (error) {
      answer(failureOf(request.id, error));
    }
  });
  answer({ kind: "ready" });
}

if (parentPort) {
  // workerData is what sqlite-thread.ts passed when it started this thread.
  serve(parentPort, workerData as SqliteWorkerData);
}
