import { parseArgs } from "node:util";
import { badUsage } from "./failure.ts";
import { didYouMean } from "./nearest.ts";
import type { Option, Options, Verb } from "./verb.ts";

/** The options of every verb. */
export const COMMON = {
  output: { type: "choice", choices: ["table", "json"], description: "output format (default: table)" },
  url: { type: "text", hint: "url", description: "URL of Gatehouse, instead of GATEHOUSE_URL" },
  timeout: { type: "number", hint: "seconds", description: "how long to wait for a response" },
  help: { type: "flag", description: "show this help" },
} as const satisfies Options;
export const SHORT: Readonly<Record<string, string>> = { o: "output", h: "help" };

/** Secrets are not accepted as arguments: other users of the machine can read them, and shells store them. */
const SECRETS: Readonly<Record<string, string>> = {
  token: "GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE",
  "api-token": "GATEHOUSE_TOKEN or GATEHOUSE_TOKEN_FILE",
  "access-key": "GATEHOUSE_ACCESS_KEY or GATEHOUSE_ACCESS_KEY_FILE",
  key: "GATEHOUSE_ACCESS_KEY or GATEHOUSE_ACCESS_KEY_FILE",
  secret: "GATEHOUSE_ACCESS_KEY or GATEHOUSE_ACCESS_KEY_FILE",
  "client-secret": "--client-secret-file, or --json with a file",
};

export type Value = string | number | boolean | readonly string[];

export interface ReadArguments {
  readonly words: readonly string[];
  readonly values: Readonly<Record<string, Value>>;
}

/** Separates words from options, and validates each option against its declaration. */
export function readArguments(argv: readonly string[], options: Options): ReadArguments {
  const { tokens } = parseArgs({ args: [...argv], options: forNode(options), strict: false, tokens: true });
  const words: string[] = [];
  const values: Record<string, Value> = {};
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    const switched = token.name.replace(/^no-/, "");
    if (option) {
      addValue(values, token.name, option, token);
    } else if (switched !== token.name && Object.hasOwn(options, switched) && options[switched]?.type === "switch") {
      addValue(values, switched, options[switched], token, false);
    } else {
      throw unknownOption(token.name, token.rawName, options);
    }
  }
  return { words, values };
}

export function nameWords(
  { args = [], rest, optional }: Verb,
  words: readonly string[],
): { args: Record<string, string>; rest: readonly string[] } {
  const named = args.map((name, i) => {
    const word = words[i];
    if (word === undefined || word === "") throw badUsage(`Missing argument <${name}>`);
    return [name, word] as const;
  });
  const further = words.slice(args.length);
  const tooMany = rest === undefined ? further[optional === undefined ? 0 : 1] : undefined;
  if (tooMany !== undefined) throw badUsage(`Unexpected argument "${tooMany}"`);
  if (rest !== undefined && further.length === 0) throw badUsage(`Missing argument <${rest}>`);
  return { args: Object.fromEntries(named), rest: further };
}

function forNode(options: Options) {
  const shortOf = Object.fromEntries(Object.entries(SHORT).map(([short, name]) => [name, short]));
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, option]) => {
      const short = shortOf[name] === undefined ? {} : { short: shortOf[name] };
      const type = isBoolean(option) ? ("boolean" as const) : ("string" as const);
      const entry = [name, { type, ...short }] as const;
      return option.type === "switch" ? [entry, [`no-${name}`, { type }] as const] : [entry];
    }),
  );
}

interface OptionToken {
  readonly rawName: string;
  readonly value?: string | undefined;
  readonly inlineValue?: boolean | undefined;
}

function addValue(values: Record<string, Value>, name: string, option: Option, token: OptionToken, on = true): void {
  const value = readValue(option, token, on);
  const before = values[name];
  if (option.type === "list" && Array.isArray(before)) values[name] = [...before, ...[value].flat().map(String)];
  else if (before === undefined) values[name] = value;
  else throw badUsage(`${token.rawName} can be given only once`);
}

function readValue(option: Option, { rawName, value, inlineValue }: OptionToken, on: boolean): Value {
  if (isBoolean(option)) {
    if (value !== undefined) throw badUsage(`${rawName} takes no value`);
    return on;
  }
  if (value === undefined) throw badUsage(`${rawName} needs a value`);
  if (!inlineValue && value.length > 1 && value.startsWith("-")) {
    throw badUsage(`${rawName} needs a value. To pass "${value}", write ${rawName}=${value}.`);
  }
  if (option.type === "list") return [value];
  if (option.type === "number") {
    if (/^\d{1,9}$/.test(value) && Number(value) > 0) return Number(value);
    throw badUsage(`${rawName} must be a whole number greater than 0, not "${value}"`);
  }
  if (option.type === "choice" && !option.choices.includes(value)) {
    const meant = didYouMean(value, option.choices);
    throw badUsage(`${rawName} must be one of ${option.choices.join(", ")}, not "${value}"${meant}`);
  }
  return value;
}

function unknownOption(name: string, rawName: string, options: Options) {
  const place = Object.hasOwn(SECRETS, name) ? SECRETS[name] : undefined;
  if (place !== undefined) {
    return badUsage(`${rawName} is not an option, because other users can read arguments. Use ${place}.`);
  }
  const known = Object.entries(options).flatMap(([each, { type }]) =>
    type === "switch" ? [each, `no-${each}`] : [each],
  );
  return badUsage(`Unknown option ${rawName}${name.length > 1 ? didYouMean(name, known, "--") : ""}`);
}

function isBoolean(option: Option): boolean {
  return option.type === "flag" || option.type === "switch";
}
