import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";

/** Whether a folded column contains `text` literally: `%`, `_` and `\` are escaped (API-4). Works in both databases. */
export function contains(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${patternOf(fold(text))} escape '\\'`;
}

/** The same for a column that is not folded. Non-ASCII letters are lowercased by the database. */
export function containsInAnyCase(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`lower(${sql.ref(column)}) like lower(${patternOf(text)}) escape '\\'`;
}

/** Whether a column matches the text, where `…` matches anything. Case sensitivity depends on the database. */
export function isLike(column: string, text: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} like ${escapeLike(text).replaceAll("…", "%")} escape '\\'`;
}

function patternOf(text: string): string {
  return `%${escapeLike(text)}%`;
}

/** Escapes text for use inside a LIKE pattern. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, (character) => `\\${character}`);
}
