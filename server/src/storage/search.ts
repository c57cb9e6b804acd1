import { type RawBuilder, type SqlBool, sql } from "kysely";
import { fold } from "#lib/fold";
import { contains, literally } from "./contains.ts";

/** What somebody looks for: every word has to be there, and what is called just so comes first. */
export interface Sought {
  /** Folded, with single blanks. */
  readonly whole: string;
  /** At least one. */
  readonly words: readonly string[];
}

/** More words than anybody remembers of a name only cost time. */
const MOST_WORDS = 8;

/** Nothing is found everywhere, as by the lists. */
export function readSought(text: string): Sought {
  const words = fold(text).trim().split(/\s+/u);
  return { whole: words.join(" "), words: [...new Set(words)].slice(0, MOST_WORDS) };
}

/** The folded column, a column name of our own, holds every word. */
export function holdsAll(column: string, { words }: Sought): RawBuilder<SqlBool> {
  return sql<SqlBool>`(${sql.join(
    words.map((word) => contains(column, word)),
    sql` and `,
  )})`;
}

/**
 * How well a row fits, the best first: 0 is called that, 1 begins so, 2 has it in a name, 3 is everything else. The folded
 * columns of `names` hold a name in each line, the one of `nameFirst` a name in its first line and other text behind it.
 */
export function fitOf(
  { whole }: Sought,
  { names = [], nameFirst = [] }: { readonly names?: readonly string[]; readonly nameFirst?: readonly string[] },
): RawBuilder<number> {
  const text = literally(whole);
  // Slugs and tools are spelled without blanks.
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
