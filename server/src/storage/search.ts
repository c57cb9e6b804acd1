import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";
import { contains, escapeLike } from "./contains.ts";

/** A search: every word must occur, and exact names come first. */
export interface SearchTerms {
  /** Folded, with single spaces. */
  readonly whole: string;
  /** At least one. */
  readonly words: readonly string[];
}

/** More words only cost time. */
const MAX_WORDS = 8;

/** An empty search matches everything, as in the lists. */
export function parseSearch(text: string): SearchTerms {
  const words = fold(text).trim().split(/\s+/u);
  return { whole: words.join(" "), words: [...new Set(words)].slice(0, MAX_WORDS) };
}

/** Whether the folded column contains every word. `column` must be a trusted column name. */
export function containsAll(column: string, { words }: SearchTerms): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(
    words.map((word) => contains(column, word)),
    sql` and `,
  )})`;
}

/**
 * How well a row matches, best first: 0 is the exact name, 1 a prefix of a name, 2 a part of a name, 3 everything else.
 * The folded columns of `names` hold one name per line, the column of `nameFirst` a name in its first line and other
 * text after it.
 */
export function matchRank(
  { whole }: SearchTerms,
  { names = [], nameFirst = [] }: { readonly names?: readonly string[]; readonly nameFirst?: readonly string[] },
): RawBuilder<number> {
  const text = escapeLike(whole);
  // Slugs and tool names are spelled without spaces.
  const spellings = [...new Set([text, text.replaceAll(" ", "\\_"), text.replaceAll(" ", "-")])];
  const fits = (inLines: (name: string) => string, inFirstLine: (name: string) => string) =>
    sql.join(
      spellings.flatMap((name) => [
        ...names.map((column) => like(sql`'\n' || ${sql.ref(column)} || '\n'`, inLines(name))),
        ...nameFirst.map((column) => like(sql`${sql.ref(column)}`, inFirstLine(name))),
      ]),
      sql` or `,
    );
  const isName = fits(
    (name) => `%\n${name}\n%`,
    (name) => `${name}\n%`,
  );
  const begins = fits(
    (name) => `%\n${name}%`,
    (name) => `${name}%`,
  );
  const holds = fits(
    (name) => `%${name}%`,
    (name) => `%${name}%\n%`,
  );
  return sql<number>`case when ${isName} then 0 when ${begins} then 1 when ${holds} then 2 else 3 end`;
}

function like(text: RawBuilder<unknown>, pattern: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`${text} like ${pattern} escape '\\'`;
}
