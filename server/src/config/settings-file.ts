import { readFileSync } from "node:fs";
import { BadSetting } from "#lib/bad-setting";

const ASSIGNMENT = /^\s*(?:export\s+)?[A-Za-z_][\w.-]*\s*=\s*(.*)$/;
const COMMENT_OR_EMPTY = /^\s*(?:#.*)?$/;

/** Loads a file of `NAME=value` lines into the environment. Variables that are already set take precedence. */
export function loadSettings(path: string): void {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
    process.loadEnvFile(path);
  } catch {
    throw new BadSetting(`--settings: cannot read ${path}`);
  }
  assertAssignments(text, path);
}

/** Node ignores a line that is no assignment, so the service would start with a default instead of the setting. */
export function assertAssignments(text: string, path: string): void {
  const lines = text.split(/\r?\n/);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (COMMENT_OR_EMPTY.test(line)) continue;
    const value = ASSIGNMENT.exec(line)?.[1];
    if (value === undefined) throw new BadSetting(`--settings: ${path}, line ${index + 1} is not NAME=value`);
    index += furtherLines(value, lines.slice(index + 1));
  }
}

/** How many lines follow in a value in quotes. A quote that is never closed is a part of the value. */
function furtherLines(value: string, rest: readonly string[]): number {
  const quote = /^["'`]/.exec(value)?.[0];
  if (quote === undefined || value.indexOf(quote, 1) > 0) return 0;
  return rest.findIndex((line) => line.includes(quote)) + 1;
}
