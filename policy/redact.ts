/** Removes secrets from command lines and paths before they leave a device. The service applies it again. */
import { looksRandom } from "./secrets/random-text.ts";
import { cleanText, REDACTED, redactText } from "./secrets/redact-text.ts";
import { normalizeUrl } from "./urls.ts";

export { REDACTED, redactText };

const MAX_ARGS = 256;
const MAX_ARG_LENGTH = 2048;

/** Names of options and variables whose value is a secret. */
const SECRET_NAME =
  /(?:^|[^a-z])(?:api|access|private|secret|auth|encryption|signing|service|account|master|app|client|user|license|deploy)?[-_.]?(?:key|keys|token|tokens|secret|secrets|password|passwd|passphrase|passcode|pwd|pass|pat|credential|credentials|creds|auth|authorization|bearer|cookie|cookies|session|dsn|connection[-_]?string|conn[-_]?str|webhook)(?:$|[^a-z])/i;
const SECRET_END = /(?:password|passwd|secret|token|apikey|accesskey|privatekey)$/i;
const CAMEL = /([a-z0-9])([A-Z])/g;
/** Options that hold `NAME=value` or `Name: value`. Both parts are credentials in practice. */
const VARIABLE_OPTIONS = new Set(["-e", "--env", "--build-arg", "--set"]);
const HEADER_OPTIONS = new Set(["-h", "--header", "--headers", "--http-header"]);
const OPTION = /^(--?[A-Za-z][\w.-]*|\/[A-Za-z][\w-]*)(?:([=:])([\s\S]*))?$/;
const ASSIGNMENT = /^([A-Za-z_][\w.-]*)=([\s\S]+)$/;
const HEADER = /^([A-Za-z][A-Za-z0-9-]*)\s*:\s*([\s\S]+)$/;
const JSON_PAIR = /(\\?"([\w.-]{1,64})\\?"\s{0,4}:\s{0,4}\\?")([^"\\]{1,2000})(\\?")/g;
const FIELD = /(?<=[;&])\s?([A-Za-z][\w .-]{0,40})=([^;&]{1,2000})/g;
/** White space, or a word in which quotes keep white space together. */
const SHELL_WORD = /\s+|(?:[^\s"']|"[^"]*"|'[^']*')+|["']/g;
const URL_START = /[a-z][a-z0-9+.-]{1,20}:\/\//i;
const URL_IN_TEXT = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>]+/gi;

export interface RedactedArgs {
  readonly args: readonly string[];
  readonly redacted: boolean;
}

/** The arguments of a command without values of secrets, variables and headers. */
export function redactArgs(args: readonly string[], homes: readonly string[] = []): RedactedArgs {
  const output: string[] = [];
  let redacted = args.length > MAX_ARGS;
  let before: string | undefined;
  for (const given of args.slice(0, MAX_ARGS)) {
    const arg = cleanText(given, MAX_ARG_LENGTH);
    const safe = redactArg(arg, before);
    redacted ||= safe.includes(REDACTED) && !arg.includes(REDACTED);
    output.push(shortenHome(safe, homes));
    before = arg;
  }
  return { args: output, redacted };
}

function redactArg(arg: string, before: string | undefined): string {
  const option = before?.toLowerCase();
  if (option !== undefined && VARIABLE_OPTIONS.has(option)) return redactAssignment(arg) ?? redactWord(arg);
  if (option !== undefined && HEADER_OPTIONS.has(option)) return redactHeader(arg);
  const followsSecretOption =
    before !== undefined && /^-/.test(before) && !before.includes("=") && isSecretName(before);
  if (followsSecretOption && !arg.startsWith("--")) return redactValue(arg);
  return redactOption(arg) ?? redactPair(arg) ?? redactWord(arg);
}

function redactOption(arg: string): string | undefined {
  const [, name = "", separator, value] = OPTION.exec(arg) ?? [];
  if (name === "" || separator === undefined || value === undefined || arg.startsWith("//")) return undefined;
  const prefix = `${name}${separator}`;
  if (VARIABLE_OPTIONS.has(name.toLowerCase())) return prefix + (redactAssignment(value) ?? redactWord(value));
  if (HEADER_OPTIONS.has(name.toLowerCase())) return prefix + redactHeader(value);
  return prefix + (isSecretName(name) ? redactValue(value) : redactWord(value));
}

/** `NAME=value` of a variable, and `Authorization: value`. */
function redactPair(arg: string): string | undefined {
  const [, name, value] = ASSIGNMENT.exec(arg) ?? [];
  if (name !== undefined && value !== undefined) {
    const isVariable = /^[A-Z][A-Z0-9_]*$/.test(name);
    if (isVariable || isSecretName(name)) return `${name}=${redactValue(value)}`;
    return `${name}=${redactWord(value)}`;
  }
  const [, header, content] = HEADER.exec(arg) ?? [];
  if (header === undefined || content === undefined || !isSecretName(header)) return undefined;
  return `${header}: ${redactValue(content)}`;
}

function redactAssignment(arg: string): string | undefined {
  const [, name, value] = ASSIGNMENT.exec(arg) ?? [];
  return name === undefined || value === undefined ? undefined : `${name}=${redactValue(value)}`;
}

/** All values of headers are removed. Text without a name is removed entirely. */
function redactHeader(arg: string): string {
  const [, name, value] = HEADER.exec(arg) ?? [];
  return name === undefined || value === undefined ? redactValue(arg) : `${name}: ${redactValue(value)}`;
}

/** References to variables show where the value comes from, and are no secret. */
function redactValue(value: string): string {
  if (value === "" || /^\$\{[\w:.-]+\}$|^\$\w+$|^%\w+%$/.test(value)) return value;
  return REDACTED;
}

function redactWord(word: string): string {
  const withoutPairs = redactPairsInside(word);
  const checked = URL_START.test(withoutPairs)
    ? withoutPairs.replace(URL_IN_TEXT, (url) => normalizeUrl(url))
    : withoutPairs;
  const redacted = redactText(checked);
  if (redacted !== checked) return redacted;
  if (/\s/.test(checked)) return partsOf(checked).map(redactPart).join("");
  if (URL_START.test(checked)) return checked;
  return checked
    .split(/([/\\:=,;])/)
    .map((part) => (looksRandom(part) ? REDACTED : part))
    .join("");
}

/** Fields of JSON, also of JSON inside JSON, and of connection strings. */
function redactPairsInside(text: string): string {
  return text
    .replace(JSON_PAIR, (pair, start: string, name: string, value: string, end: string) =>
      isSecretName(name) ? `${start}${redactValue(value)}${end}` : pair,
    )
    .replace(FIELD, (field, name: string, value: string) =>
      isSecretName(name) ? `${name}=${redactValue(value)}` : field,
    );
}

/** Words, quoted or not, and the spaces between them. A word that is all of the text would be divided without end. */
function partsOf(text: string): string[] {
  const parts = text.match(SHELL_WORD) ?? [];
  return parts.length > 1 ? parts : text.split(/(\s+)/);
}

/** A part of an argument that contains several words, such as the script of a shell. */
function redactPart(part: string, at: number, all: readonly string[]): string {
  if (part.trim() === "") return part;
  return redactArg(part, all[at - 2]);
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(CAMEL, "$1_$2")) || SECRET_END.test(name);
}

/** Replaces a home folder at the start of a path, or inside an argument, with `~`. */
export function shortenHome(text: string, homes: readonly string[]): string {
  let output = text;
  for (const home of homes) output = replaceHome(output, home);
  return output;
}

function replaceHome(text: string, home: string): string {
  const prefix = home.replace(/[/\\]+$/, "");
  if (prefix.length < 2) return text;
  const isWindows = /^[A-Za-z]:|^\\\\/.test(prefix);
  const fold = (value: string) => (isWindows ? value.toLowerCase().replaceAll("/", "\\") : value);
  const wanted = fold(prefix);
  let output = "";
  let from = 0;
  const folded = fold(text);
  for (let at = folded.indexOf(wanted); at !== -1; at = folded.indexOf(wanted, from)) {
    const next = text[at + prefix.length];
    const isWhole = next === undefined || /[/\\\s:;,"']/.test(next);
    output += text.slice(from, at) + (isWhole ? "~" : text.slice(at, at + prefix.length));
    from = at + prefix.length;
  }
  return output + text.slice(from);
}
