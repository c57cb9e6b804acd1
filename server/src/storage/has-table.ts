import { type Kysely, sql } from "kysely";
import { isPostgres } from "./is-postgres.ts";

export async function hasTable<Tables>(db: Kysely<Tables>, name: string): Promise<boolean> {
  const found = isPostgres(db)
    ? sql<{ name: string }>`select relname as name from pg_class where oid = to_regclass(${name})`
    : sql<{ name: string }>`select name from sqlite_master where type = 'table' and name = ${name}`;
  return (await found.execute(db)).rows.length > 0;
}
