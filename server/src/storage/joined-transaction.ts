import type { MessagePort } from "node:worker_threads";
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
} from "kysely";
import type { MainTransaction } from "./database.ts";
import { MappingPostgresCompiler, MappingSqliteCompiler } from "./query-compilers.ts";
import type { JoinedAnswer, JoinedStatement, SharedTransaction } from "./shared-transaction.ts";
import { toQueryResult } from "./sqlite-dialect.ts";
import { SqliteError, SqliteThreadGone } from "./sqlite-thread.ts";
import { type Connection, describeFailure, type SqliteRows } from "./sqlite-worker.ts";
import { FOR_EACH_ROW, type StoredRow, type StoredValue } from "./stored-values.ts";
import type { MainTables } from "./tables.ts";

/**
 * Runs work in a transaction of another thread, which begins and ends it. `hosted` is the connection of this thread to the
 * SQLite file (decision 0251).
 */
export async function joinTransaction<Result>(
  shared: SharedTransaction,
  hosted: Connection | undefined,
  work: (tx: MainTransaction) => Promise<Result>,
): Promise<Result> {
  const joined = shared.dialect === "sqlite" ? new HostedTransaction(hosted) : new PortConnection(shared.port);
  const db = new Kysely<MainTables>({ dialect: dialectOver(joined, shared.dialect) });
  try {
    return await db.transaction().execute(work);
  } finally {
    if (shared.dialect === "postgres") shared.port.close();
  }
}

function dialectOver(connection: JoinedConnection, dialect: SharedTransaction["dialect"]): Dialect {
  const nothing = async () => {};
  const driver: Driver = {
    ...{ init: nothing, destroy: nothing, releaseConnection: nothing },
    ...{ beginTransaction: nothing, commitTransaction: nothing, rollbackTransaction: nothing },
    acquireConnection: async () => connection,
  };
  const isPostgres = dialect === "postgres";
  return {
    createDriver: () => driver,
    createQueryCompiler: () => (isPostgres ? new MappingPostgresCompiler() : new MappingSqliteCompiler()),
    createAdapter: () => (isPostgres ? new PostgresAdapter() : new SqliteAdapter()),
    createIntrospector: (db) => (isPostgres ? new PostgresIntrospector(db) : new SqliteIntrospector(db)),
  };
}

abstract class JoinedConnection implements DatabaseConnection {
  abstract executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;

  // biome-ignore lint/correctness/useYield: the interface requires a generator; statements return complete results.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported: page by the last key instead");
  }
}

/** The transaction that is open in the connection of this thread. */
class HostedTransaction extends JoinedConnection {
  readonly #connection: Connection | undefined;
  readonly #transaction: number | undefined;

  constructor(connection: Connection | undefined) {
    super();
    this.#connection = connection;
    this.#transaction = connection?.openTransaction;
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const connection = this.#connection;
    if (connection?.openTransaction === undefined || connection.openTransaction !== this.#transaction) throw hasEnded();
    return toQueryResult(query, run(connection, query));
  }
}

function run(connection: Connection, { sql, parameters }: CompiledQuery): SqliteRows {
  try {
    // bulk-insert.ts and audit-chain.ts pass rows, and only to these statements.
    if (sql.startsWith(FOR_EACH_ROW)) return connection.runForEachRow(sql, parameters[0] as readonly StoredRow[]);
    // The compiler converts every parameter to a StoredValue.
    return connection.run(sql, parameters as readonly StoredValue[]);
  } catch (error) {
    const { message, code, errcode } = describeFailure(error);
    throw new SqliteError(message, code, errcode);
  }
}

/** A connection of another thread. */
class PortConnection extends JoinedConnection {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, PromiseWithResolvers<JoinedAnswer>>();
  #isClosed = false;
  #lastId = 0;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on("message", (answer: JoinedAnswer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
    port.on("close", () => {
      this.#isClosed = true;
      for (const { reject } of this.#waiting.values()) reject(hasEnded());
      this.#waiting.clear();
    });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isClosed) throw hasEnded();
    const waiting = Promise.withResolvers<JoinedAnswer>();
    const id = ++this.#lastId;
    this.#waiting.set(id, waiting);
    // The compiler converts every parameter to a StoredValue.
    const parameters = query.parameters as readonly StoredValue[];
    this.#port.postMessage({ id, sql: query.sql, parameters } satisfies JoinedStatement);
    const answer = await waiting.promise;
    if (answer.kind === "failure") throw new Error(answer.message);
    // The connection that answered has the result in this form.
    return answer.result as QueryResult<Row>;
  }
}

function hasEnded(): SqliteThreadGone {
  return new SqliteThreadGone("The transaction has ended");
}
