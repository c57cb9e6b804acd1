/** Matches text that spreadsheets treat as a formula, including full-width characters and leading spaces. */
const FORMULA = /^\s*[=+\-@|\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** One line by RFC 4180. Formulas get a leading apostrophe, because logged text is untrusted. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const inert = FORMULA.test(value) ? `'${value}` : value;
  return /[",\s]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
