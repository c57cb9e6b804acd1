/** Removes secrets from command lines and paths before they leave a device. The service applies it again. */
import { canBeEncoded, decodeScript, encodeScript } from "./secrets/encoded-script.ts";
import { redactJsonValues } from "./secrets/json-values.ts";
import { passwordOptions } from "./secrets/password-options.ts";
import { isEncodedSecret, redactRandom } from "./secrets/random-text.ts";
import { MAX_TEXT_LENGTH, REDACTED, redactAndCut, redactText } from "./secrets/redact-text.ts";
import { redactDefaults, redactValue } from "./secrets/references.ts";
import { isSecretName } from "./secrets/secret-names.ts";
import { normalizeUrl, withoutUser } from "./urls.ts";

export { isSecretName, REDACTED, redactText };

export const MAX_ARGS = 256;
export const MAX_ARG_LENGTH = 2048;

/** Options that hold `NAME=value`, `Name: value` or `user:password`. All of them are credentials in practice. */
const VARIABLE_OPTIONS = new Set(["-e", "--env", "--build-arg", "--set"]);
/** Without `-h`, which names a host or asks for help. */
const HEADER_OPTIONS = new Set(["-H", "--header", "--headers", "--http-header"]);
const USER_OPTIONS = new Set(["-u", "--user", "-U", "--proxy-user"]);
/** Short options together with their value. `-endpoint=x` is a long option of other programs. */
const JOINED = /^(-e(?=[A-Z_][A-Z0-9_]*=)|-H(?=[A-Za-z][\w-]*\s*:)|-u(?=[^:]+:))([\s\S]+)$/;
const OPTION = /^(--?(?:[A-Za-z]|_\w)[\w.-]*|\/[A-Za-z][\w-]*)(?:\s{0,4}([=:])([\s\S]*))?$/;
/** `==` at the end is a part of base64. */
const ASSIGNMENT = /^([A-Za-z_][\w.-]*)=(?!=?$)([\s\S]+)$/;
const HEADER = /^([A-Za-z][A-Za-z0-9-]*)\s*:\s*([\s\S]+)$/;
/** `user:password`, but not the numbers of a user and a group, a port, or a URL. */
const USER = /^(["']?(?:\$\{\w+\}|[\w.@+%$][\w.@+%$-]*)):(?![/\\]|\d+$)([\s\S]+)$/;
/** `name=value` in a connection string. Its names and values can contain spaces. */
const FIELD = /(?<=[;&])\s?([A-Za-z_]\w*(?:[ .-]\w+){0,5})=("[^"]{0,2000}"|'[^']{0,2000}'|[^;&"'`)]{1,2000})/g;
/** `name=value` in a script, a URL, or the key of an npm registry. */
const PAIR =
  /(?<=^|[\s?(,{|"'`/:])([A-Za-z_][\w.-]{0,40})=("[^"]{0,2000}"|'[^']{0,2000}'|\$\([^)]{0,2000}\)|[^\s;&"'`)]{1,2000})/g;
/** In a program: `environ["NAME"] = "value"`, `set('NAME', 'value')` and `'Name' = 'value'`. */
const NAMED = /([A-Za-z_][\w-]{0,64})(["']?\s?[\])]?\s{0,4}(?:=>?|,)\s{0,4})("[^"]{0,2000}"|'[^']{0,2000}')/g;
/** `user/password@host:1521/service` of Oracle. */
const ORACLE_PASSWORD = /(?<=(?:^|[\s"'=:])[\w.-]{1,64}\/)[^\s/@"']{1,256}(?=@(?:\/\/)?[\w.-]{1,253}:\d{1,5}[/:]\w)/g;
const POWERSHELL_VARIABLE = /(\$env:\w{1,64}\s{0,4}=\s{0,4})("[^"]{0,2000}"|'[^']{0,2000}'|[^\s;&|]{1,2000})/gi;
/** White space, or a word in which quotes keep white space together. */
const SHELL_WORD = /\s+|(?:[^\s"']|"(?:[^"\\]|\\.)*"|"[^"]*"|'[^']*')+|["']/g;
const QUOTED = /^(["'])([\s\S]*)\1$/;
/** Longer than names of files and packages. */
const LONG_ENCODED = 64;
const URL_START = /[a-z][a-z0-9+.-]{1,20}:\/\//i;
const URL_IN_TEXT = /[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'`<>]+/gi;

/** A value of JSON with every text in it redacted. Names of fields are kept. */
export function redactStrings<Value>(value: Value): Value {
  return redactAny(value) as Value;
}

function redactAny(value: unknown): unknown {
  if (typeof value === "string") return redactText(value, Number.POSITIVE_INFINITY);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(redactAny);
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, redactAny(each)]));
}

/**
 * The arguments of a command without values of secrets, variables and headers. `before` is the program, or the beginning of
 * the command line.
 */
export function redactArgs(args: readonly string[], homes: readonly string[] = [], before?: string): readonly string[] {
  const output: string[] = [];
  const withoutPassword = passwordOptions(redactValue, before);
  let previous = before?.trim().split(/\s+/).at(-1);
  for (const arg of args.slice(0, MAX_ARGS)) {
    const safe = redactAndCut(arg, MAX_ARG_LENGTH, (text) => withoutPassword(text) ?? redactArg(text, previous));
    output.push(shortenHome(safe, homes));
    previous = arg.slice(0, MAX_ARG_LENGTH);
  }
  return output;
}

/** The command of a server, which can be an entire command line. Words of a path can be random, and are kept. */
export function redactCommand(command: string, homes: readonly string[] = []): string {
  return redactAndCut(shortenHome(command, homes), MAX_ARG_LENGTH, (text) => {
    const words = partsOf(redactSecretsInside(text));
    const withoutPassword = passwordOptions(redactValue);
    return words
      .map((word, at) => {
        if (word.trim() === "") return word;
        const safe = withoutPassword(word);
        return safe ?? (at === 0 ? (redactPair(word) ?? word) : redactArg(word, words[at - 2], true));
      })
      .join("");
  });
}

/** Text that contains commands, such as the tools that a skill allows. */
export function redactScript(text: string, limit = MAX_TEXT_LENGTH): string {
  return redactAndCut(text, limit, (checked) => redactWord(checked, true));
}

function redactArg(arg: string, before: string | undefined, keepsPaths = false): string {
  const afterOption = before === undefined ? undefined : (redactEncoded(arg, before) ?? redactAfter(before, arg));
  if (afterOption !== undefined) return afterOption;
  const [, quote, quoted] = QUOTED.exec(arg) ?? [];
  if (quote !== undefined && quoted !== undefined) return quote + redactQuoted(quoted, quote, keepsPaths) + quote;
  return redactJoined(arg) ?? redactOption(arg) ?? redactPair(arg) ?? redactWord(arg, keepsPaths);
}

/** A script in quotes can contain the same quotes after backslashes. */
function redactQuoted(text: string, quote: string, keepsPaths: boolean): string {
  const script = text.replaceAll(`\\${quote}`, quote);
  const safe = redactArg(script, undefined, keepsPaths);
  return safe === script ? text : safe.replaceAll(quote, `\\${quote}`);
}

/** Undefined if the option does not say what follows it. */
function redactAfter(before: string, arg: string): string | undefined {
  const option = before.startsWith("--") ? before.toLowerCase() : before;
  if (VARIABLE_OPTIONS.has(option)) return redactAssignment(arg) ?? redactWord(arg);
  if (HEADER_OPTIONS.has(option)) return redactHeader(arg);
  if (USER_OPTIONS.has(option)) return redactUser(arg) ?? redactWord(arg);
  return holdsSecretNext(before) && !arg.startsWith("--") ? redactValue(arg) : undefined;
}

/** A script is kept readable, because the policy decides about the commands in it. */
function redactEncoded(arg: string, before: string): string | undefined {
  const script = decodeScript(arg, before);
  if (script === undefined) return canBeEncoded(arg, before) && arg.length >= LONG_ENCODED ? REDACTED : undefined;
  const safe = redactScript(script);
  return safe === script ? arg : encodeScript(safe);
}

/** An option for a secret, or a header that continues in the next argument. */
function holdsSecretNext(before: string): boolean {
  if (/^(?:-[^=]*|\/[A-Za-z][\w-]*)=?$/.test(before) && isSecretName(before)) return true;
  return /:\s*(?:bearer|basic|token)$/i.test(before);
}

function redactJoined(arg: string): string | undefined {
  const [, option = "", value = ""] = JOINED.exec(arg) ?? [];
  if (option === "") return undefined;
  if (option === "-u") {
    const user = redactUser(value);
    return user && option + user;
  }
  return option + (option === "-e" ? redactAssignment(value) : redactHeader(value));
}

function redactOption(arg: string): string | undefined {
  const [, name = "", separator, value] = OPTION.exec(arg) ?? [];
  if (name === "" || separator === undefined || value === undefined || arg.startsWith("//")) return undefined;
  const prefix = arg.slice(0, arg.length - value.length);
  const option = name.startsWith("--") ? name.toLowerCase() : name;
  if (VARIABLE_OPTIONS.has(option)) return prefix + (redactAssignment(value) ?? redactWord(value));
  if (HEADER_OPTIONS.has(option)) return prefix + redactHeader(value);
  if (USER_OPTIONS.has(name)) return prefix + (redactUser(value) ?? redactWord(value));
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
  const [, quote = "", name, value] = /^(["']?)([A-Za-z_][\w.-]*)=([\s\S]*)$/.exec(arg) ?? [];
  if (name === undefined || value === undefined) return undefined;
  return `${quote}${name}=${redactValue(quote !== "" && value.endsWith(quote) ? value.slice(0, -1) : value)}${quote}`;
}

/** All values of headers are removed. Text without a name is removed entirely. */
function redactHeader(arg: string): string {
  const [, name, value] = HEADER.exec(arg) ?? [];
  return name === undefined || value === undefined ? redactValue(arg) : `${name}: ${redactValue(value)}`;
}

/** A group with the name of its user is none of curl's passwords. */
function redactUser(arg: string): string | undefined {
  const [, name, password] = USER.exec(arg) ?? [];
  if (name === undefined || password === undefined || name === password) return undefined;
  return `${name}:${redactValue(password)}`;
}

function redactWord(word: string, keepsPaths = false): string {
  const checked = redactSecretsInside(word);
  if (/\s/.test(checked)) {
    const withoutPassword = passwordOptions(redactValue);
    return partsOf(checked)
      .map((part, at, all) => {
        return part.trim() === "" ? part : (withoutPassword(part) ?? redactArg(part, all[at - 2], keepsPaths));
      })
      .join("");
  }
  if (URL_START.test(checked) || (keepsPaths && /[/\\]/.test(checked))) return checked;
  if (isEncodedSecret(checked)) return REDACTED;
  return checked
    .split(/([/\\:=,;])/)
    .map((part, at, all) => redactRandom(part, all[at - 2]))
    .join("");
}

/** What is recognized anywhere in a text: fields of JSON and of connection strings, URLs, and formats of credentials. */
function redactSecretsInside(text: string): string {
  const withoutFields = redactJsonValues(redactDefaults(text.replace(ORACLE_PASSWORD, REDACTED), redactUrls))
    .replace(POWERSHELL_VARIABLE, (_, start: string) => start + REDACTED)
    .replace(FIELD, redactField)
    .replace(PAIR, redactField)
    .replace(NAMED, (field, name: string, _separator, value: string) => redactField(field, name, value));
  return redactText(redactUrls(withoutFields));
}

function redactUrls(text: string): string {
  return URL_START.test(text) ? text.replace(URL_IN_TEXT, (url) => normalizeUrl(url)) : withoutUser(text);
}

function redactField(field: string, name: string, value: string): string {
  return isSecretName(name) ? field.slice(0, field.length - value.length) + redactValue(value) : field;
}

/** Words, quoted or not, and the spaces between them. A word that is all of the text would be divided without end. */
function partsOf(text: string): string[] {
  const parts = text.match(SHELL_WORD) ?? [];
  return parts.length > 1 ? parts : text.split(/(\s+)/);
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
