import { redactText } from "./logger.ts";

/**
 * Removes secrets from call payloads (decision 0043): members with secret-like names, text that looks like a
 * credential, and every long text, because its content is unknown. Objects, arrays, numbers and short texts stay.
 */
const SECRET_NAME =
  /pass(?:word|wd|phrase|code)|^pwd$|secret|(?:^|_)(?:access|refresh|id|auth|bearer|api|session|csrf|client)?_?tokens?$|api_?key|(?:private|access|signing|encryption)_?key|^key$|authorization|^auth$|cookie|credential|signature|^otp$|^pin$|^cvv$|^cvc$|^ssn$|card_?number|^iban$/i;
/** Names that look like secrets but are not. */
const PLAIN_NAME = /^(?:progress_?token|next_?token|page_?token|max_?tokens|tokens?_?(?:count|used)|secrets?_?count)$/i;
/** Credentials with a recognizable format, and runs of random characters. */
const SECRET_TEXT =
  /-----BEGIN[^-]*PRIVATE KEY-----|\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|\b(?:sk|pk|rk|ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[a-z]|npm|hf|dop_v1|shpat|AKIA|ASIA|AIza|ya29|SG)[-_.]?[A-Za-z0-9][\w.-]{14,}|\b(?=[\w+/-]{0,64}\d)(?=[\w+/-]{0,64}[A-Za-z])[A-Za-z0-9+/_-]{40,}={0,2}/g;
/** `password=…` or `"token": "…"` within a text. */
const NAMED_IN_TEXT =
  /((?:pass(?:word|wd|phrase)|secret|token|api[-_]?key|private[-_]?key|authorization|credential)s?\\?["']?\s{0,4}[:=]\s{0,4}\\?["']?)[^\s"'\\,;&}]+/gi;
const REDACTED = "[redacted]";
const MAX_TEXT_LENGTH = 512;

export function redactPayload(value: unknown): unknown {
  if (typeof value === "string") return redactLeaf(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(redactPayload);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      redactLeaf(name),
      isSecretName(name) && member !== null && typeof member !== "boolean" ? REDACTED : redactPayload(member),
    ]),
  );
}

/** Treats `apiKey`, `api_key` and `x-api-key` alike. */
function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, "$1_$2").replaceAll(/[-.\s]/g, "_");
  return SECRET_NAME.test(words) && !PLAIN_NAME.test(words);
}

function redactLeaf(text: string): string {
  if (text.length > MAX_TEXT_LENGTH) return `[${text.length} characters]`;
  return redactText(text).replace(SECRET_TEXT, REDACTED).replace(NAMED_IN_TEXT, `$1${REDACTED}`);
}
