import { type Kysely, PostgresAdapter, type RawBuilder, sql } from "kysely";

/**
 * A member of the JSON object in a text column, as JSON text or, for a string, as plain text; null if it is missing.
 */
export function jsonMember<Tables>(db: Kysely<Tables>, column: string, member: string): RawBuilder<string | null> {
  const text = sql.ref(column);
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<string | null>`(${text}::json ->> ${sql.lit(member)})`
    : sql<string | null>`(${text} ->> ${sql.lit(member)})`;
}
