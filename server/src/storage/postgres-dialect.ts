import { Socket } from "node:net";
import { type Dialect, PostgresDialect, PostgresQueryCompiler, type QueryCompiler } from "kysely";
import pg from "pg";
import type { Logger } from "#lib/logger";
import { toSafeNumber, toStoredValue } from "./stored-values.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** No query of ours takes nearly as long, migrations aside. */
const SILENCE_MS = 10_000;

export interface PostgresPoolOptions {
  readonly connectionString: string;
  readonly logger: Logger;
  /** How long Postgres may say nothing to whoever waits for it. */
  readonly silenceMs?: number | undefined;
}

export interface PostgresPool {
  readonly dialect: Dialect;
  /** While it runs, Postgres may take any time. */
  unhurried<Result>(work: () => Promise<Result>): Promise<Result>;
  end(): Promise<void>;
}

/** One pool that several Kysely instances may share. `end` closes it, whether or not one of them was ever used. */
export function openPostgresPool({
  connectionString,
  logger,
  silenceMs = SILENCE_MS,
}: PostgresPoolOptions): PostgresPool {
  const pool = new pg.Pool({
    connectionString,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    application_name: "gatehouse",
    types: { getTypeParser },
  });
  // Without listeners a lost connection would be an uncaught 'error' event. The pool speaks for idle clients, the
  // client itself while a transaction holds it; the query that needed it fails by itself.
  const tell = (error: Error) => logger.warn({ err: error }, "A connection to Postgres was lost");
  pool.on("error", tell);
  let patience = silenceMs;
  const sockets = new Set<Socket>();
  pool.on("connect", (client) => {
    client.on("error", () => {});
    const socket = socketOf(client);
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    // OPS-3: a Postgres that accepts and never answers must not hold those who ask, nor the pool's places.
    socket.on("timeout", () => socket.destroy(new PostgresSilent()));
  });
  pool.on("acquire", (client) => void socketOf(client).setTimeout(patience));
  pool.on("release", (_error, client) => void socketOf(client).setTimeout(0));
  const endAll = async () => {
    await pool.end();
    // The pool has said goodbye on each. One that hears no answer to that would keep the process alive.
    for (const socket of sockets) socket.destroySoon();
  };
  let ended: Promise<void> | undefined;
  return {
    dialect: new MappingPostgresDialect({ pool }),
    async unhurried(work) {
      patience = 0;
      try {
        return await work();
      } finally {
        patience = silenceMs;
      }
    },
    end() {
      ended ??= endAll();
      return ended;
    },
  };
}

/** Its code makes it a database that is away (D33). */
class PostgresSilent extends Error {
  override readonly name = "PostgresSilent";
  readonly code = "ETIMEDOUT";

  constructor() {
    super("Postgres does not answer");
  }
}

/** pg's types say only that it is a stream of some kind, and hide it from clients of a pool. */
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

/** Without it, pg would send arrays as Postgres arrays and `undefined` as NULL. */
class MappingPostgresCompiler extends PostgresQueryCompiler {
  protected override appendValue(value: unknown): void {
    super.appendValue(toStoredValue(value));
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
