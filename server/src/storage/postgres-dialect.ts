import { type Dialect, PostgresDialect, PostgresQueryCompiler, type QueryCompiler } from "kysely";
import pg from "pg";
import type { Logger } from "#lib/logger";
import { toSafeNumber, toStoredValue } from "./stored-values.ts";

const MAX_CONNECTIONS = 10;
const CONNECT_TIMEOUT_MS = 5_000;

/** One pool that several Kysely instances may share. `end` closes it, whether or not one of them was ever used. */
export function openPostgresPool(connectionString: string, logger: Logger): { dialect: Dialect; end(): Promise<void> } {
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
  pool.on("connect", (client) => client.on("error", () => {}));
  let ended: Promise<void> | undefined;
  const end = () => {
    ended ??= pool.end();
    return ended;
  };
  return { dialect: new MappingPostgresDialect({ pool }), end };
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
