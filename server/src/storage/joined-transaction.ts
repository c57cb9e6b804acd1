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
import type { JoinedAnswer, SharedTransaction } from "./shared-transaction.ts";
import { toQueryResult } from "./sqlite-dialect.ts";
import { SqliteError, SqliteThreadGone } from "./sqlite-thread.ts";
import type { SqliteMessage, SqliteRequest } from "./sqlite-worker.ts";
import type { StoredValue } from "./stored-values.ts";
import type { MainTables } from "./tables.ts";

/** Runs work in a transaction of another thread, which begins and ends it. */
export async function joinTransaction<Result>(
  { dialect, port }: SharedTransaction,
  work: (tx: MainTransaction) => Promise<Result>,
): Promise<Result> {
  const db = new Kysely<MainTables>({ dialect: dialectOver(new PortConnection(port), dialect) });
  try {
    return await db.transaction().execute(work);
  } finally {
    port.close();
  }
}

function dialectOver(connection: DatabaseConnection, dialect: SharedTransaction["dialect"]): Dialect {
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

type Answer = Exclude<SqliteMessage, { kind: "ready" }> | JoinedAnswer;

class PortConnection implements DatabaseConnection {
  readonly #port: MessagePort;
  readonly #waiting = new Map<number, PromiseWithResolvers<Answer>>();
  #isClosed = false;
  #lastId = 0;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on("message", (answer: Answer) => {
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
    port.on("close", () => {
      this.#isClosed = true;
      for (const { reject } of this.#waiting.values()) reject(new SqliteThreadGone("The transaction has ended"));
      this.#waiting.clear();
    });
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    if (this.#isClosed) throw new SqliteThreadGone("The transaction has ended");
    const waiting = Promise.withResolvers<Answer>();
    const id = ++this.#lastId;
    this.#waiting.set(id, waiting);
    // Both compilers convert every parameter to a StoredValue.
    const parameters = query.parameters as readonly StoredValue[];
    this.#port.postMessage({ id, target: "write", sql: query.sql, parameters } satisfies SqliteRequest);
    const answer = await waiting.promise;
    switch (answer.kind) {
      case "rows":
        return toQueryResult(query, answer.result);
      case "result":
        // The connection that answered has the result in this form.
        return answer.result as QueryResult<Row>;
      case "failure":
        throw "errcode" in answer
          ? new SqliteError(answer.message, answer.code, answer.errcode)
          : new Error(answer.message);
    }
  }

  // biome-ignore lint/correctness/useYield: the interface requires a generator; statements return complete results.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error("Streaming is not supported: page by the last key instead");
  }
}
