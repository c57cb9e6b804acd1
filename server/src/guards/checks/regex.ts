import { RE2JS, RE2JSException, RE2JSSyntaxException } from "re2js";
import type { RegexConfig } from "../definition.ts";
import { validatorOf } from "../validators.ts";
import { replacementFor, type TextCheck } from "./text-check.ts";

export const MAX_PATTERN_BYTES = 2048;
/** Larger programs need seconds for texts that the engine accepts. */
const MAX_PROGRAM_SIZE = 20_000;

/** Compiles an admin's pattern; returns the reason as text if RE2 does not accept it. */
export function compilePattern(pattern: string, flags = ""): RE2JS | string {
  try {
    const compiled = RE2JS.compile(pattern, flagBits(flags));
    return compiled.programSize() > MAX_PROGRAM_SIZE ? "the pattern is too large" : compiled;
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return describe(error, pattern);
    if (error instanceof RE2JSException) return error.message;
    throw error;
  }
}

/** RE2 reports the part of the pattern that it rejects; the position is that of its only occurrence. */
function describe(error: RE2JSSyntaxException, pattern: string): string {
  const part = error.getPattern();
  if (part === null || part === "" || part === pattern) return error.getDescription();
  const at = pattern.indexOf(part);
  const where = at >= 0 && at === pattern.lastIndexOf(part) ? ` at position ${at}` : "";
  return `${error.getDescription()}: \`${part}\`${where}`;
}

function flagBits(flags: string): number {
  let bits = 0;
  if (flags.includes("i")) bits |= RE2JS.CASE_INSENSITIVE;
  if (flags.includes("m")) bits |= RE2JS.MULTILINE;
  if (flags.includes("s")) bits |= RE2JS.DOTALL;
  return bits;
}

/** `proceed` throws when the time is up; a single search is linear, but many searches of one text need not be. */
export function createRegexCheck(config: RegexConfig, name: string, certainty: number, proceed: () => void): TextCheck {
  const compiled = compilePattern(config.pattern, config.flags);
  if (typeof compiled === "string") throw new TypeError(`invalid pattern: ${compiled}`);
  const isValid = config.validator === undefined ? undefined : validatorOf(config.validator);
  const replacement = config.replacement ?? replacementFor(name);
  return {
    triggers: undefined,
    minLength: 1,
    minDigits: 0,
    readsBase64: false,
    scan({ text }, report) {
      if (!compiled.test(text)) return;
      const matcher = compiled.matcher(text);
      while (matcher.find()) {
        proceed();
        const start = matcher.start();
        const end = matcher.end();
        if (end > start && (isValid === undefined || isValid(text.slice(start, end)))) {
          report(start, end, certainty, replacement);
        }
      }
    },
  };
}
