import { entropyOf } from "./entropy.ts";
import { REDACTED } from "./redact-text.ts";

const WORDS = /[._~-]/;
const DIGEST_LENGTHS: Readonly<Record<string, number>> = { sha1: 40, sha256: 64, sha384: 96, sha512: 128 };
/** In lower case, with three or more labels or a common top-level domain. Tokens have no such form. */
const HOST_NAME =
  /^(?:[a-z0-9][a-z0-9-]{0,62}\.)+(?:[a-z]{2}|(?<=\..*\.)[a-z]{2,12}|com|net|org|dev|app|cloud|internal|local|lan|example)$/;
const MOST_ENCODED = 16_384;
const UUID = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi;
/** Without the characters that quotes, parentheses and separators are. */
const RUN = /[A-Za-z0-9+=_.~-]{16,}/g;
const VERSION = /^v?\d+(?:\.\d+)+/;

/**
 * Whether a text without a recognizable format is random enough to be a credential: a path segment such as
 * `/s/NTk4ZTQ1/mcp`, or a positional argument. Names of packages and folders consist of words and are not.
 */
export function looksRandom(text: string): boolean {
  if (text.length < 16 || text.length > 4096 || /\s/.test(text) || VERSION.test(text)) return false;
  if (/^[0-9a-f]{16,}$/i.test(text)) return /\d/.test(text) && /[a-f]/i.test(text);
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)) return true;
  // Of a name with separators, one part must be random: `my-server-prod-2024` has none.
  const parts = text.split(WORDS).filter((part) => part !== "");
  if (parts.some((part) => part.length >= 16 && isMixed(part))) return true;
  return parts.length <= 3 && text.length >= 32 && isMixed(text);
}

/** Text in which every part that looks random is removed, whatever stands next to it: `bot123:AAH…`, `x("T")`, `v1-<UUID>`. */
export function redactRandom(text: string, before = ""): string {
  if (looksRandom(text)) return isPublicName(text, before) ? text : REDACTED;
  return text.replace(UUID, REDACTED).replace(RUN, (run, at: number) => {
    const start = at === 0 ? before : text.slice(0, at);
    return !looksRandom(run) || isPublicName(run, start) || isCommit(run, start) ? run : REDACTED;
  });
}

/** As in `git+https://example.com/repo@<commit>`. */
function isCommit(text: string, before: string): boolean {
  return /[@#]$/.test(before) && /^[0-9a-f]{40}$/.test(text);
}

/** The name of a host, or the digest after `@sha256:` or `sha256:`. Random, but not secret. */
export function isPublicName(text: string, before = ""): boolean {
  const algorithm = /(?:^|@)(sha\d{1,3})$/i.exec(before)?.[1]?.toLowerCase() ?? "";
  if (/^[0-9a-f]+$/i.test(text) && text.length === DIGEST_LENGTHS[algorithm]) return true;
  return HOST_NAME.test(text);
}

/** Base64 of `user:password` or of JSON, or the secret key of AWS, which has no format but its length. */
export function isEncodedSecret(text: string): boolean {
  if (text.length > MOST_ENCODED || !/^[A-Za-z0-9+/_-]{12,}={0,2}$/.test(text)) return false;
  const decoded = Buffer.from(text, "base64").toString("latin1");
  if (/^(?:[!-9;-~]+:[!-~]+|\{\s*"[\t\r\n -~]+)$/.test(decoded)) return true;
  const isKey = /^[A-Za-z0-9+][A-Za-z0-9+/]{39}$/.test(text) && /[A-Z]/.test(text) && /[a-z]/.test(text);
  return isKey && /\d/.test(text) && entropyOf(text) >= 4.4;
}

/** Letters and digits that alternate, as in base64; a word with a number at its end has one change. */
function isMixed(text: string): boolean {
  if (!/^[A-Za-z0-9+/=_-]+$/.test(text) || !/\d/.test(text) || !/[A-Za-z]/.test(text)) return false;
  const changes = text.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])/g)?.length ?? 0;
  return changes >= 3 && entropyOf(text) >= 3.2;
}
