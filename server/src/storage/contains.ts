import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";

/** A folded column holds `text` literally: `%`, `_` and `\` lose their meaning (API-4). Both databases, one escape. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${patternOf(fold(text))} escape '\\'`;
}

/** Likewise for a column that is kept as it was written. Letters beyond ASCII: as the database lowers them. */
export function containsInAnyCase(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${patternOf(text)}) escape '\\'`;
}

/** A column that is like this, where `…` stands for any text. Whether case counts is up to the database. */
export function isLike(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${literally(text).replaceAll("…", "%")} escape '\\'`;
}

function patternOf(text: string): string {
  return `%${literally(text)}%`;
}

/** Inside a pattern of ours. */
export function literally(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
