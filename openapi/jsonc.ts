/**
 * Parses JSON as people write it in configuration files: with comments and trailing commas. Undefined if it is not JSON
 * even then.
 */
export function parseJsonc(text: string): unknown {
  const strict = text
    .replace(/^\uFEFF/, "")
    .replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, string: string | undefined) => string ?? "")
    .replace(/("(?:\\.|[^"\\])*")|,(?=\s*[}\]])/g, (_, string: string | undefined) => string ?? "");
  try {
    return JSON.parse(strict);
  } catch {
    return undefined;
  }
}

/** The variables of a text in an mcp.json file: `${input:token}`, `${env:TOKEN}`, or `${TOKEN}`. */
export function placeholdersIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(PLACEHOLDER), ([whole]) => whole))];
}

/** Replaces variables that have a value. */
export function fillPlaceholders(text: string, values: ReadonlyMap<string, string>): string {
  return text.replace(PLACEHOLDER, (whole) => values.get(whole) ?? whole);
}

const PLACEHOLDER = /\$\{[^{}]+\}/g;
