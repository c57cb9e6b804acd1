import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  type QueryCompiler,
  type TransactionSettings,
} from "kysely";
import pg from "pg";
import type { Logger } from "#lib/logger";
import { isDatabaseAway } from "./constraints.ts";
import { ACCEPTS_NO_WRITES, PostgresAvailability, PostgresAway } from "./postgres-availability.ts";
import { PoolSockets, socketOf } from "./postgres-sockets.ts";
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
  const availability = new PostgresAvailability({
    logger,
    probe: () => probe(connectionString, suspicionMs),
    breakConnections: () => sockets.breakUsed(),
  });
  const sockets = new PoolSockets(pool, { suspicionMs, response, suspect: () => void availability.suspect() });
  const limits = () => limitsOf(timeouts, response);
  const prepareSession = createSessionPreparation(limits);
  const connect = async () => {
    availability.check();
    const suspicion = setTimeout(() => void availability.suspect(), suspicionMs);
    try {
      const client = await availability.orAway(pool.connect(), (late) => late.release(true));
      return await prepareSession(client);
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
    // The pool has sent a termination message on each.
    sockets.close();
  };
  let ended: Promise<void> | undefined;
  return {
    dialect: new LimitedPostgresDialect({ pool: { options: pool.options, connect, end: () => pool.end() } }, limits),
    withoutTimeout: (work) => response.without(work),
    runLong: (statement, signal) => runLong({ connectionString, connectMs }, statement, signal),
    end() {
      ended ??= endAll();
      return ended;
    },
  };
}

/** A limit that Postgres enforces, and its value in milliseconds. */
type Limits = Readonly<Record<string, number>>;

function limitsOf({ idleTransactionMs, statementMs }: PostgresTimeouts, response: ResponseTimeout): Limits {
  return {
    idle_in_transaction_session_timeout: response.isLifted ? 0 : idleTransactionMs,
    statement_timeout: response.isLifted ? 0 : statementMs,
  };
}

function setting(command: "set" | "set local", limits: Limits): string {
  return Object.entries(limits)
    .map(([name, ms]) => `${command} ${name} = ${ms}`)
    .join("; ");
}

/** The limits of statements without a transaction. Not parameters of the connection, because PgBouncer refuses those. */
function createSessionPreparation(limits: () => Limits) {
  const applied = new WeakMap<pg.PoolClient, string>();
  return async (client: pg.PoolClient): Promise<pg.PoolClient> => {
    const settings = setting("set", limits());
    if (applied.get(client) === settings) return client;
    try {
      await client.query(settings);
      await assertAcceptsWrites(client);
    } catch (error) {
      client.release(true);
      throw error;
    }
    applied.set(client, settings);
    return client;
  };
}

async function assertAcceptsWrites(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>("show transaction_read_only");
  if (rows[0]?.transaction_read_only === "on") throw new PostgresAway(ACCEPTS_NO_WRITES);
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
    await assertAcceptsWrites(client);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === TOO_MANY_CONNECTIONS)) throw error;
  } finally {
    socketOf(client).destroy();
  }
}

class LimitedPostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #limits: () => Limits;

  constructor(config: PostgresDialectConfig, limits: () => Limits) {
    super(config);
    this.#config = config;
    this.#limits = limits;
  }

  override createDriver(): PostgresDriver {
    return new LimitedPostgresDriver(this.#config, this.#limits);
  }

  override createQueryCompiler(): QueryCompiler {
    return new MappingPostgresCompiler();
  }
}

/** Transactions have their own limits, because PgBouncer can run each one in another session. */
class LimitedPostgresDriver extends PostgresDriver {
  readonly #limits: () => Limits;

  constructor(config: PostgresDialectConfig, limits: () => Limits) {
    super(config);
    this.#limits = limits;
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const { isolationLevel, accessMode = "" } = settings;
    const isolation = isolationLevel === undefined ? "" : `isolation level ${isolationLevel}`;
    const limits = setting("set local", this.#limits());
    await connection.executeQuery(CompiledQuery.raw(`begin ${isolation} ${accessMode}; ${limits}`));
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
