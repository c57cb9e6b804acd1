import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";

/** A folded column holds `text` literally: `%`, `_` and `\` lose their meaning (API-4). Both databases, one escape. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  const pattern = `%${fold(text).replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
