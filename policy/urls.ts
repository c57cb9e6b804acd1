import { looksRandom, redactRandom } from "./secrets/random-text.ts";
import { REDACTED, redactText } from "./secrets/redact-text.ts";
import { redactDefaults } from "./secrets/references.ts";
import { isSecretName } from "./secrets/secret-names.ts";

const MAX_URL_LENGTH = 2048;
/** Longer texts do not occur. What follows is not read. */
const MAX_GIVEN_LENGTH = 16_384;
const AUTHORITY = /^((?:[a-z][a-z0-9+.-]*:){0,3}\/\/)([\s\S]*)$/i;
/** Without the restriction of URLs that a password contains no `/`, `?`, `#` and backslash. */
const USER_WITH_PASSWORD = /^[^/?#@:[\]\s]*:([^/?#@\\][^/?#@]*)[/?#\\][^\s]*@/;
const PORT = /^(?:\d{1,5}|\$\{[^}]*\}|\$[A-Z_]+|%\w+%|\{.*\}|<.*>)$/;
/** In a parsed URL, in which braces can be encoded. */
const VARIABLE = /\$[A-Za-z_]|\{|%7b/i;
/** Replaces a user after which the host is not known. No URL has such a host, so nothing parses the text as one. */
const UNKNOWN_HOST = `${REDACTED}/@`;
/** `user:password@host` without a scheme, and no path of Windows. */
const BARE_USER = /^(?![A-Za-z]:\\)([^\s:/@?#"'`()[\]]+):[^\s:/@]+@(?=[\w[{$])/;
/** What stands before `:` in names of packages, whose versions follow `@`. */
const PACKAGE_PREFIX =
  /^(?:npm|jsr|node|pkg|file|link|portal|workspace|patch|github|gitlab|bitbucket|gist|oci|docker|mailto)$/i;
/** What follows `@` in names of packages and images. */
const VERSION = /^(?:sha\d{3}:|(?!\d+(?:\.\d+){3}(?:[:/]|$))[\^~]?v?\d+(?:\.\d+)*(?:[-+][\w.+-]*)?$|latest$|next$)/i;

/**
 * A server URL without credentials: no user, query or fragment, secrets in the path replaced, lower-case host without a
 * final dot, no default port, no slash at the end. A URL that contains variables is kept as text. The host is the one that
 * clients connect to, or the text has no host.
 */
export function normalizeUrl(text: string): string {
  const given = redactDefaults(text.trim().slice(0, MAX_GIVEN_LENGTH), normalizeUrl);
  return withoutSecrets(given).slice(0, MAX_URL_LENGTH);
}

function withoutSecrets(given: string): string {
  const url = urlWithHost(given);
  if (url === undefined) return withUnknownHost(normalizeText(withoutUser(given)));
  const path = url.pathname.split("/").map(redactSegment).join("/").replace(/\/+$/, "");
  // The value of a variable can contain the real host.
  const user = VARIABLE.test(`${url.username}:${url.password}`) ? UNKNOWN_HOST : "";
  return `${url.protocol}//${user}${redactText(hostWithPort(url))}${path}`;
}

function urlWithHost(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url?.host === "" ? undefined : url;
}

/** Removing a user or a query can turn a text that is no URL into one. */
function withUnknownHost(text: string): string {
  return urlWithHost(text) === undefined ? text : text.replace(/^([^/\\]*)[/\\]*/, `$1//${UNKNOWN_HOST}`);
}

/** Text without the user at its start, with or without a scheme before it. For texts that are no valid URLs. */
export function withoutUser(text: string): string {
  const [, start, rest] = AUTHORITY.exec(text) ?? [];
  if (start !== undefined && rest !== undefined) return start + withoutUserOfAuthority(rest);
  const [user, name = ""] = BARE_USER.exec(text) ?? [];
  const isPackage = user === undefined || PACKAGE_PREFIX.test(name) || VERSION.test(text.slice(user.length));
  return isPackage ? text : text.slice(user.length);
}

/** The last `@` ends the user, also if the password contains characters that end the host of other URLs. */
function withoutUserOfAuthority(text: string): string {
  const plain = /^[^/?#\\]*@/.exec(text)?.[0];
  if (plain !== undefined) return text.slice(plain.length);
  const [user, password = ""] = USER_WITH_PASSWORD.exec(text) ?? [];
  return user === undefined || PORT.test(password) ? text : UNKNOWN_HOST + text.slice(user.length);
}

/** The host of a normalized URL, without its port; undefined if it is not known. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  const host = withoutDot(new URL(url).hostname);
  return host === "" || /[${}]/.test(host) ? undefined : host;
}

/** Whether the URL is one of the gateway's URLs or below one of them. */
export function isManagedUrl(url: string, gatewayUrls: readonly string[]): boolean {
  const normalized = normalizeUrl(url);
  return gatewayUrls.some((gateway) => {
    const base = normalizeUrl(gateway);
    return base !== "" && (normalized === base || normalized.startsWith(`${base}/`));
  });
}

function hostWithPort(url: URL): string {
  const port = url.port === "" ? "" : `:${url.port}`;
  return `${withoutDot(url.hostname).toLowerCase()}${port}`;
}

/** `example.com.` is the same host as `example.com`. `.` and `example.com..` are none. */
function withoutDot(hostname: string): string {
  return hostname.replace(/(?<=[^.])\.$/, "");
}

function redactSegment(segment: string): string {
  if (segment === "") return segment;
  if (looksRandom(segment) || redactText(segment) !== segment) return REDACTED;
  // Parameters of a path, such as `;token=value`, also if they are encoded.
  return redactRandom(segment).replace(/([\w.-]{1,64})=([^;&,]+)/g, (pair, name: string) =>
    isSecretName(name) ? `${name}=${REDACTED}` : pair,
  );
}

function normalizeText(text: string): string {
  const withoutQuery = text.replace(/[?#].*$/s, "");
  return withoutQuery.split("/").map(redactSegment).join("/").replace(/\/+$/, "");
}
