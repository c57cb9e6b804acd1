/** What spreadsheets take for the beginning of a formula, also in its wide form and behind spaces. */
const FORMULA = /^\s*[=+\-@|\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** One line by RFC 4180. A text that would be a formula begins with an apostrophe: what is logged came from strangers. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: string | number | null): string {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const inert = FORMULA.test(value) ? `'${value}` : value;
  return /[",\s]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
