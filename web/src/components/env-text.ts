/** The text of a .env file: one variable per line. */
export function envText(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `${name}=${value}\n`)
    .join("");
}
