import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  RawNode,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
} from "kysely";
import { MappingSqliteCompiler } from "./query-compilers.ts";
import { type SqliteThread, SqliteThreadGone } from "./sqlite-thread.ts";
import type { SqliteRows } from "./sqlite-worker.ts";
import { BEGIN_WRITING, FOR_EACH_ROW, type StoredValue } from "./stored-values.ts";

/**
 * Kysely over a SqliteThread. SELECTs outside a transaction use the read connection and never wait for a writer;
 * everything else uses the write connection, one holder at a time in the order of arrival. With a separate `reader`,
 * SELECTs also do not wait for the statement that the first thread is running, nor it for them.
 */
export class SqliteThreadDialect implements Dialect {
  readonly #threads: SqliteThreads;

  constructor(threads: SqliteThreads) {
    this.#threads = threads;
  }

  createDriver(): Driver {
    return new SqliteThreadDriver(this.#threads);
  }

  createQueryCompiler(): QueryCompiler {
    return new MappingSqliteCompiler();
  }

  createAdapter(): DialectAdapter {
    return new ManyReadersAdapter();
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Otherwise Kysely uses one connection at a time, and every read waits for the open write transaction. */
class ManyReadersAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

export interface SqliteThreads {
  readonly thread: SqliteThread | OnDemandThread;
  /** For statements that only read; by default `thread`. */
  readonly reader?: OnDemandThread;
  /** Shared by the threads that write to the same file. */
  readonly writers?: WriterQueue;
}

/** A thread that starts with its first use, because each one takes about 7 MB and many installations never use it. */
export class OnDemandThread {
  readonly #start: () => Promise<SqliteThread>;
  #started: Promise<SqliteThread> | undefined;
  #isClosed = false;

  constructor(start: () => Promise<SqliteThread>) {
    this.#start = start;
  }

  async started(): Promise<SqliteThread> {
    if (this.#isClosed) throw new SqliteThreadGone("The database is closed");
    this.#started ??= this.#start();
    const thread = await this.#started.catch((error: unknown) => {
      // The next use tries again.
      this.#started = undefined;
      throw error;
    });
    if (!thread.isGone) return thread;
    this.#started = undefined;
    return this.started();
  }

  /**
   * Resolves when the thread has answered. Other writes wait for its transactions, so one must not begin while a thread for
   * idle processors gets no time.
   */
  async responsive(): Promise<SqliteThread> {
    const thread = await this.started();
    try {
      await thread.run("read", "SELECT 1");
      return thread;
    } catch (error) {
      // A thread that hosts the file can end while it is idle, and this is the first use after that.
      if (!thread.isGone) throw error;
      return this.started();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const thread = await this.#started?.catch(() => undefined);
    await thread?.close();
  }
}

class SqliteThreadDriver implements Driver {
  readonly #threads: SqliteThreads;
  readonly #writers: WriterQueue;

  constructor(threads: SqliteThreads) {
    this.#threads = threads;
    this.#writers = threads.writers ?? new WriterQueue();
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<SqliteConnection> {
    const { thread, reader } = this.#threads;
    const ready = thread instanceof OnDemandThread ? await thread.responsive() : thread;
    return new SqliteConnection(ready, (await reader?.started()) ?? ready, this.#writers);
  }

  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.begin();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.commit();
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    await connection.rollback();
  }

  /** A transaction that was not ended must not continue under the next user of the write connection. */
  async releaseConnection(connection: SqliteConnection): Promise<void> {
    await connection.rollback();
  }

  async destroy(): Promise<void> {
    await Promise.all([this.#threads.thread.close(), this.#threads.reader?.close()]);
  }
}

export class SqliteConnection implements DatabaseConnection {
  readonly #thread: SqliteThread;
  readonly #reader: SqliteThread;
  readonly #writers: WriterQueue;
  #leaveTransaction: (() => void) | undefined;

  constructor(thread: SqliteThread, reader: SqliteThread, writers: WriterQueue) {
    this.#thread = thread;
    this.#reader = reader;
    this.#writers = writers;
  }

  async begin(): Promise<void> {
    const leave = await this.#writers.enter();
    try {
      await this.#thread.run("write", BEGIN_WRITING);
      this.#leaveTransaction = leave;
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** If this fails, the transaction is still open and Kysely rolls it back. */
  async commit(): Promise<void> {
    await this.#thread.run("write", "COMMIT");
    this.#leave();
  }

  async rollback(): Promise<void> {
    if (!this.#leaveTransaction) return;
    try {
      await this.#thread.run("write", "ROLLBACK");
    } finally {
      this.#leave();
    }
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const parameters = parametersOf(query);
    if (this.#leaveTransaction) return toQueryResult(query, await this.#thread.run("write", query.sql, parameters));
    if (isSelect(query)) return toQueryResult(query, await this.#reader.run("read", query.sql, parameters));
    const leave = await this.#writers.enter();
    try {
      return toQueryResult(query, await this.#thread.run("write", query.sql, parameters));
    } finally {
      leave();
    }
  }

  /** Whether the thread of the file can run statements of the open transaction itself. */
  get isHosted(): boolean {
    return this.#leaveTransaction !== undefined && this.#thread.isHost;
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator; a thread returns only complete results.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported: page by the last key instead");
  }

  #leave(): void {
    this.#leaveTransaction?.();
    this.#leaveTransaction = undefined;
  }
}

/** To a thread, rows are sent as one text, because cloning thousands of values takes longer. */
function parametersOf({ sql, parameters }: CompiledQuery): readonly StoredValue[] {
  if (sql.startsWith(FOR_EACH_ROW)) return [JSON.stringify(parameters[0])];
  // MappingSqliteCompiler converts every parameter of a compiled query to a StoredValue.
  return parameters as readonly StoredValue[];
}

function isSelect({ query, sql }: CompiledQuery): boolean {
  return SelectQueryNode.is(query) || (RawNode.is(query) && SELECT.test(sql));
}

const SELECT = /^\s*select\s/i;

/** First come, first served: `enter` resolves to the function that admits the next one. */
export class WriterQueue {
  #last: Promise<void> = Promise.resolve();

  async enter(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}

/** Also for statements that run in the thread of the file. */
export function toQueryResult<Row>(query: CompiledQuery, { columns, rows, changes }: SqliteRows): QueryResult<Row> {
  const names = columns.map(({ name }) => name);
  const readers = columns.map(({ type }) => READERS[type?.toUpperCase() ?? ""]);
  const objects = rows.map((values) => {
    const row: Record<string, unknown> = {};
    for (let i = 0; i < names.length; i++) {
      const value = values[i];
      const read = readers[i];
      row[names[i] ?? ""] = read === undefined || value === null ? value : read(value);
    }
    return row;
  });
  // Kysely's types describe the row; the readers convert each column to its declared type.
  const result = { rows: objects as Row[] };
  return SelectQueryNode.is(query.query) ? result : { ...result, numAffectedRows: BigInt(changes) };
}

/** By declared type; columns of other types are not converted. */
const READERS: Readonly<Record<string, ((value: unknown) => unknown) | undefined>> = {
  BOOLEAN: (value) => value !== 0,
  JSON: (value) => JSON.parse(String(value)),
};
