import { MessageChannel, type MessagePort } from "node:worker_threads";
import { CompiledQuery, type DatabaseConnection } from "kysely";
import type { MainTransaction } from "./database.ts";
import { SqliteConnection } from "./sqlite-dialect.ts";
import { SqliteError } from "./sqlite-thread.ts";
import type { StoredValue } from "./stored-values.ts";

/**
 * A transaction that another thread can join (decision 0185). With SQLite, that thread has the file open; with Postgres,
 * the port is transferred to it.
 */
export type SharedTransaction =
  | { readonly dialect: "sqlite" }
  | { readonly dialect: "postgres"; readonly port: MessagePort };

export interface JoinedStatement {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly StoredValue[];
}

export type JoinedAnswer =
  | { readonly kind: "result"; readonly id: number; readonly result: object }
  | { readonly kind: "failure"; readonly id: number; readonly message: string };

/** Lets another thread run statements of this transaction until the promise of `use` settles. */
export function shareTransaction<Result>(
  tx: MainTransaction,
  use: (shared: SharedTransaction) => Promise<Result>,
): Promise<Result> {
  return tx.getExecutor().provideConnection(async (connection) => {
    if (!(connection instanceof SqliteConnection)) return passOn(connection, use);
    if (!connection.isHosted) throw new Error("only a transaction of Databases.mainIn can be shared");
    return use({ dialect: "sqlite" });
  });
}

/** This thread has the connection. */
async function passOn<Result>(
  connection: DatabaseConnection,
  use: (shared: SharedTransaction) => Promise<Result>,
): Promise<Result> {
  const { port1: own, port2: port } = new MessageChannel();
  let failure: unknown;
  own.on("message", async ({ id, sql, parameters }: JoinedStatement) => {
    try {
      const result = await connection.executeQuery(CompiledQuery.raw(sql, [...parameters]));
      own.postMessage({ kind: "result", id, result } satisfies JoinedAnswer);
    } catch (error) {
      failure = error;
      const message = error instanceof Error ? error.message : String(error);
      own.postMessage({ kind: "failure", id, message } satisfies JoinedAnswer);
    }
  });
  try {
    return await use({ dialect: "postgres", port });
  } catch (error) {
    // The original has the code by which lost races are recognized.
    throw failure ?? error;
  } finally {
    own.close();
  }
}

/** What a thread reports about an error of a statement, so that it is recognized here. */
export interface StatementFailure {
  readonly message: string;
  readonly code: string | undefined;
  readonly errcode: number | undefined;
}

export function statementFailure(error: unknown): StatementFailure | undefined {
  return error instanceof SqliteError
    ? { message: error.message, code: error.code, errcode: error.errcode }
    : undefined;
}

export function statementError({ message, code, errcode }: StatementFailure): Error {
  return new SqliteError(message, code, errcode);
}
