/** References to variables: `${NAME}`, `${NAME:-default}`, `$NAME` and `%NAME%`. Defaults can be secrets. */
import { looksRandom } from "./random-text.ts";
import { REDACTED, redactText } from "./redact-text.ts";
import { isSecretName } from "./secret-names.ts";

/** With the prefixes of Cursor, VS Code and others. Only IDs after a prefix contain hyphens. */
const PREFIXED = /(?:env|input|config|command|secrets?|vars?):[\w.-]+?/.source;
const NAME = /[A-Za-z_][\w.]*/.source;
const REFERENCE = new RegExp(String.raw`^(?:\$\{(?:${PREFIXED}|${NAME})\}|\$\w+|%\w+%)?$`);
/** The default can contain another reference. */
const WITH_DEFAULT = String.raw`(\$\{(?:${PREFIXED}:|${NAME}:?)[-=+?])((?:[^{}]|\{[^{}]*\})*)(?=\})`;
const ONLY_WITH_DEFAULT = new RegExp(String.raw`^${WITH_DEFAULT}\}$`);
const ANY_WITH_DEFAULT = new RegExp(WITH_DEFAULT, "g");

/** The value of a secret, a variable or a header. References show where the value comes from, and are no secret. */
export function redactValue(value: string): string {
  if (REFERENCE.test(value)) return value;
  const [, start] = ONLY_WITH_DEFAULT.exec(value) ?? [];
  return start === undefined ? REDACTED : `${start}${REDACTED}}`;
}

/** Removes defaults of variables with the name of a secret, and those that are not kept elsewhere either. */
export function redactDefaults(text: string, redactOther: (text: string) => string): string {
  if (!text.includes("${")) return text;
  return text.replace(ANY_WITH_DEFAULT, (_, start: string, value: string) => {
    if (value === "") return start;
    const isSecret = isSecretName(start) || looksRandom(value) || redactText(value) !== value;
    return start + (isSecret ? REDACTED : redactDefaults(redactOther(value), redactOther));
  });
}
