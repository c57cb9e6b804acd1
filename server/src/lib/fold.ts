/**
 * The one folding of text for case-insensitive keys and search: NFKC, then lower case. The database never folds,
 * because SQLite knows only ASCII and Postgres depends on its collation. A capital sigma becomes ς at a word's end and
 * σ elsewhere, so both are one letter here.
 */
export function fold(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC").replaceAll("ς", "σ");
}
