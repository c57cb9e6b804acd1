import { Socket } from "node:net";
import { type Dialect, PostgresDialect, type QueryCompiler } from "kysely";
import pg from "pg";
import type { Logger } from "#lib/logger";
import { isDatabaseAway } from "./constraints.ts";
import { PostgresAvailability, PostgresAway } from "./postgres-availability.ts";
import { MappingPostgresCompiler } from "./query-compilers.ts";
import { toSafeNumber } from "./stored-values.ts";

const MAX_CONNECTIONS = 10;
/** Postgres responds, but has no connection left for the probe. */
const TOO_MANY_CONNECTIONS = "53300";

export interface PostgresTimeouts {
  readonly connectMs: number;
  /** How long a query may wait for a response after the suspicion, so that Postgres cancels a slow one first. */
  readonly responseMs: number;
  /** After this time without a response, a probe finds out whether Postgres responds at all. It may take as long. */
  readonly suspicionMs: number;
  /** After this time, Postgres ends a transaction whose process sends nothing, because others wait for its locks. */
  readonly idleTransactionMs: number;
  /** After this time, Postgres cancels a statement. It would continue, or wait for a lock, when the process no longer waits. */
  readonly statementMs: number;
}

/** No query takes nearly ten seconds, except migrations. */
export const POSTGRES_TIMEOUTS: PostgresTimeouts = {
  connectMs: 5_000,
  responseMs: 10_000,
  suspicionMs: 2_000,
  idleTransactionMs: 60_000,
  statementMs: 10_000,
};

export interface PostgresPoolOptions {
  readonly connectionString: string;
  readonly logger: Logger;
  readonly timeouts?: PostgresTimeouts | undefined;
}

export interface PostgresPool {
  readonly dialect: Dialect;
  /** Runs work without timeouts of queries and transactions. Calls can be nested. */
  withoutTimeout<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Runs one statement on a separate connection without a timeout. */
  runLong(statement: string, signal: AbortSignal): Promise<void>;
  end(): Promise<void>;
}

/** A pool that several Kysely instances can share. `end` closes it, even if it was never used. */
export function openPostgresPool({
  connectionString,
  logger,
  timeouts = POSTGRES_TIMEOUTS,
}: PostgresPoolOptions): PostgresPool {
  const { connectMs, responseMs, suspicionMs } = timeouts;
  const pool = new pg.Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: "gatehouse",
    types: { getTypeParser },
  });
  // Without listeners a lost connection would be an uncaught 'error' event. The pool emits it for idle clients, the
  // client during a transaction; the affected query fails separately.
  const logLoss = (error: Error) => logger.warn({ err: error }, "A connection to Postgres was lost");
  pool.on("error", logLoss);
  const response = new ResponseTimeout(responseMs);
  const sockets = new Set<Socket>();
  const acquired = new Set<Socket>();
  const availability = new PostgresAvailability({
    logger,
    probe: () => probe(connectionString, suspicionMs),
    breakConnections() {
      for (const socket of acquired) socket.destroy(new PostgresAway());
    },
  });
  pool.on("connect", (client) => {
    client.on("error", () => {});
    const socket = socketOf(client);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // OPS-3: a Postgres that accepts connections and never responds must not block queries or hold pool connections.
    onSilence(socket, () => {
      const waitedMs = socket.timeout ?? 0;
      if (!acquired.has(socket)) return;
      if (waitedMs >= response.ms) return void socket.destroy(new PostgresAway());
      socket.setTimeout(response.ms);
      void availability.suspect();
    });
  });
  pool.on("acquire", (client) => {
    const socket = socketOf(client);
    acquired.add(socket);
    socket.setTimeout(Math.min(suspicionMs, response.ms));
  });
  pool.on("release", (_error, client) => {
    const socket = socketOf(client);
    acquired.delete(socket);
    socket.setTimeout(0);
  });
  const withLimits = createSessionLimits(timeouts, response);
  const connect = async () => {
    availability.check();
    const suspicion = setTimeout(() => void availability.suspect(), suspicionMs);
    try {
      const client = await availability.orAway(pool.connect(), (late) => late.release(true));
      return await withLimits(client);
    } catch (error) {
      if (isDatabaseAway(error)) void availability.suspect();
      throw error;
    } finally {
      clearTimeout(suspicion);
    }
  };
  const endAll = async () => {
    availability.stop();
    await pool.end();
    // The pool has sent a termination message on each. A socket without a response would keep the process alive.
    for (const socket of sockets) socket.destroySoon();
  };
  let ended: Promise<void> | undefined;
  return {
    dialect: new MappingPostgresDialect({ pool: { options: pool.options, connect, end: () => pool.end() } }),
    withoutTimeout: (work) => response.without(work),
    runLong: (statement, signal) => runLong({ connectionString, connectMs }, statement, signal),
    end() {
      ended ??= endAll();
      return ended;
    },
  };
}

/** The limits that Postgres enforces. Not parameters of the connection, because PgBouncer refuses those. */
function createSessionLimits(timeouts: PostgresTimeouts, response: ResponseTimeout) {
  const limited = limitsOf(timeouts);
  const unlimited = limitsOf({ ...timeouts, idleTransactionMs: 0, statementMs: 0 });
  const applied = new WeakMap<pg.PoolClient, string>();
  return async (client: pg.PoolClient): Promise<pg.PoolClient> => {
    const limits = response.isLifted ? unlimited : limited;
    if (applied.get(client) === limits) return client;
    try {
      await client.query(limits);
    } catch (error) {
      client.release(true);
      throw error;
    }
    applied.set(client, limits);
    return client;
  };
}

function limitsOf({ idleTransactionMs, statementMs }: PostgresTimeouts): string {
  return `set idle_in_transaction_session_timeout = ${idleTransactionMs}; set statement_timeout = ${statementMs}`;
}

/** How long a query may wait for a response; 0 without a limit. */
class ResponseTimeout {
  readonly #ms: number;
  #callsWithout = 0;

  constructor(ms: number) {
    this.#ms = ms;
  }

  get isLifted(): boolean {
    return this.#callsWithout > 0;
  }

  get ms(): number {
    return this.isLifted ? 0 : this.#ms;
  }

  async without<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#callsWithout++;
    try {
      return await work();
    } finally {
      this.#callsWithout--;
    }
  }
}

/** After a pause of this process, timers fire before the response that arrived meanwhile is read. That is no silence. */
function onSilence(socket: Socket, act: () => void): void {
  socket.on("timeout", () => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) act();
    });
  });
}

/** Ending the connection cancels the statement. */
async function runLong(
  { connectionString, connectMs }: { connectionString: string; connectMs: number },
  statement: string,
  signal: AbortSignal,
): Promise<void> {
  signal.throwIfAborted();
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    application_name: "gatehouse",
  });
  client.on("error", () => {});
  const cancel = () => socketOf(client).destroy(new Error("The statement was canceled"));
  await client.connect();
  signal.addEventListener("abort", cancel);
  try {
    await client.query(statement);
  } finally {
    signal.removeEventListener("abort", cancel);
    await client.end().catch(() => {});
  }
}

async function probe(connectionString: string, timeoutMs: number): Promise<void> {
  const client = new pg.Client({
    connectionString,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    application_name: "gatehouse",
  });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === TOO_MANY_CONNECTIONS)) throw error;
  } finally {
    socketOf(client).destroy();
  }
}

/** pg types the connection only as a stream, and hides it from clients of a pool. */
function socketOf(client: object): Socket {
  const connection: unknown = Reflect.get(client, "connection");
  const stream: unknown = typeof connection === "object" && connection ? Reflect.get(connection, "stream") : undefined;
  if (stream instanceof Socket) return stream;
  throw new Error("a client of pg has no socket");
}

class MappingPostgresDialect extends PostgresDialect {
  override createQueryCompiler(): QueryCompiler {
    return new MappingPostgresCompiler();
  }
}

const { builtins } = pg.types;

const PARSERS = new Map<number, (text: string) => unknown>([
  [builtins.INT8, toSafeNumber],
  // The sum of BIGINTs.
  [builtins.NUMERIC, toSafeNumber],
  [builtins.BYTEA, (text) => Uint8Array.from(Buffer.from(text.slice("\\x".length), "hex"))],
]);

function getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
  return (format === "binary" ? undefined : PARSERS.get(oid)) ?? pg.types.getTypeParser(oid, format);
}
