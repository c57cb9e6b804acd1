import { looksRandom } from "./secrets/random-text.ts";
import { REDACTED, redactText } from "./secrets/redact-text.ts";

const MAX_URL_LENGTH = 2048;

/**
 * A server URL without credentials: no user, query or fragment, secrets in the path replaced, lower-case host without a
 * final dot, no default port, no slash at the end. A URL that contains variables is kept as text.
 */
export function normalizeUrl(text: string): string {
  const given = text.trim().slice(0, MAX_URL_LENGTH);
  if (!URL.canParse(given)) return normalizeText(given);
  const url = new URL(given);
  if (url.host === "") return normalizeText(given);
  const path = url.pathname.split("/").map(redactSegment).join("/").replace(/\/+$/, "");
  return `${url.protocol}//${hostWithPort(url)}${path}`;
}

/** The host of a normalized URL, without its port; undefined if it is not known. */
export function hostOf(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined;
  return withoutDot(new URL(url).hostname) || undefined;
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

/** `example.com.` is the same host as `example.com`. */
function withoutDot(hostname: string): string {
  return hostname.replace(/\.+$/, "");
}

function redactSegment(segment: string): string {
  if (segment === "") return segment;
  if (looksRandom(segment)) return REDACTED;
  const redacted = redactText(segment);
  return redacted === segment ? segment : REDACTED;
}

function normalizeText(text: string): string {
  const withoutQuery = text.replace(/[?#].*$/s, "");
  const withoutUser = withoutQuery.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/]*@/i, "$1");
  return withoutUser.split("/").map(redactSegment).join("/").replace(/\/+$/, "");
}
