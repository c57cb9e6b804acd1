import { entropyOf } from "./entropy.ts";
import { type FindSecret, isPlaceholder, type SecretText, type StructuredSecret } from "./structured.ts";

const MIN_ENTROPY = 3.5;
/** Passwords of people are shorter, so less entropy is expected of them. */
const MIN_PASSWORD_ENTROPY = 2.75;

/** The name, up to 30 characters that belong to it, an assignment, and the value. */
const ASSIGNMENT =
  /(?:password|passwd|pwd|secret|token|api[-_ ]?key|access[-_ ]?key|private[-_ ]?key|credential|auth[-_ ]?key)[\w.-]{0,30}["'`]?\]?[ \t]{0,3}(?:=>|:=|[=:])[ \t]{0,3}\\?["'`]?([^\s"'`,;<>{}()[\]\\]{8,256})/iy;
const BEARER = /(?:bearer|basic)[ \t]{1,3}([A-Za-z0-9._~+/=-]{16,2048})/iy;
const LITERALS = [
  ...[
    "password",
    "passwd",
    "pwd",
    "secret",
    "token",
    "api_key",
    "apikey",
    "api-key",
    "api key",
    "access_key",
    "accesskey",
  ],
  ...[
    "access-key",
    "access key",
    "private_key",
    "privatekey",
    "private-key",
    "credential",
    "auth_key",
    "authkey",
    "auth-key",
  ],
  ...["bearer", "basic"],
];
const PASSWORD_NAME = /^(?:password|passwd|pwd)/i;
/** Names that look like secrets but are not. */
const PLAIN_NAME =
  /^(?:token(?:s|izer?|ization|_?(?:count|type|limit|url|endpoint|uri|usage|name|id|address|estimate))|secret_?(?:name|arn|id|version|ref|count)|password_?(?:hash|policy|reset|field|length|min|max)|api_?key_?(?:id|name)|access_?key_?id|credential_?(?:id|type|provider|name)s?)/i;
const PLAIN_PREFIX =
  /(?:next|page|continuation|sync|progress|csrf|xsrf|cancellation|max|min|total|input|output|prompt|completion)[-_ ]?$/i;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const KEY_NAME =
  /^(?:.{0,30}[-_.])?(?:password|passwd|pwd|passphrase|secret|client_?secret|api_?key|access_?key|private_?key|auth_?token|access_?token|refresh_?token|bearer_?token|secret_?key|secret_?access_?key)$/;

/** `key = value` where the name means a secret and the value is random enough. */
export const genericSecret: StructuredSecret = {
  provider: "generic",
  literals: LITERALS,
  find(form, at, found) {
    const { text } = form;
    if (PLAIN_PREFIX.test(text.slice(Math.max(0, at - 14), at)) || PLAIN_NAME.test(text.slice(at, at + 30))) return;
    ASSIGNMENT.lastIndex = at;
    const assignment = ASSIGNMENT.exec(text);
    if (assignment !== null) {
      const value = assignment[1] ?? "";
      const end = at + assignment[0].length;
      return judge(value, end - value.length, end, PASSWORD_NAME.test(assignment[0]), found);
    }
    BEARER.lastIndex = at;
    const bearer = BEARER.exec(text);
    const value = bearer?.[1] ?? "";
    if (bearer !== null && /\d/.test(value) && entropyOf(value) >= MIN_ENTROPY && !isPlaceholder(value)) {
      found(at + bearer[0].length - value.length, at + bearer[0].length, 8);
    }
  },
};

/** The value of a key such as `client_secret` is a secret without any assignment in the text. */
export function findByKey({ text, key }: SecretText, found: FindSecret): void {
  if (text.length > 512 || text.length < 6 || key === "" || /\s/.test(text)) return;
  if (KEY_NAME.test(key)) judge(text, 0, text.length, /pass|pwd/.test(key), found);
}

function judge(value: string, start: number, end: number, isPassword: boolean, found: FindSecret): void {
  if (isPlaceholder(value) || UUID.test(value)) return;
  const entropy = entropyOf(value);
  const isMixed = /\d/.test(value) && /[A-Za-z]/.test(value);
  if (!isMixed) return;
  if (entropy >= MIN_ENTROPY) found(start, end, 8);
  else if (isPassword && entropy >= MIN_PASSWORD_ENTROPY) found(start, end, 7);
}
