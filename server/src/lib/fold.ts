/**
 * Folds text for case-insensitive keys and search: NFKC, then lower case. The database never folds, because SQLite
 * supports only ASCII and Postgres depends on its collation. A capital sigma becomes ς at the end of a word and σ
 * elsewhere, so both are treated as one letter.
 */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC").replaceAll("ς", "σ");
}
