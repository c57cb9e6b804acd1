/** The rules for outbound requests before any name is resolved (OA-6, GW-15). */
import { isIP } from "node:net";
import { type AllowList, assertHostname, checkAddress, refusal } from "./address-rules.ts";
import { EgressRefused } from "./failure.ts";

/** The blocked ports of the Fetch standard: services that could interpret an HTTP request as their own protocol. */
const BLOCKED_PORTS = new Set([
  1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

export const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Set by the HTTP client from the URL and the body; values from a caller could contradict them. */
export const RESERVED_HEADERS = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

export function reachableUrl(text: string | URL, allow: AllowList): URL {
  const url = parse(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new EgressRefused(`URL scheme "${url.protocol.slice(0, -1)}" is not allowed; use https or http`);
  }
  if (url.username !== "" || url.password !== "")
    throw new EgressRefused("URL must not contain a user name or password");
  if (BLOCKED_PORTS.has(Number(url.port))) throw new EgressRefused(`port ${url.port} is not allowed`);
  const hostname = url.hostname.replace(/^\[(.*)\]$/, "$1");
  assertHostname(hostname);
  if (isIP(hostname) === 0) return url;
  const verdict = checkAddress(hostname, hostname, allow);
  if (!verdict.allowed) throw refusal(hostname, hostname, verdict);
  return url;
}

/** Returns a lower-case copy. `accept-encoding` is always set here, so that no response needs a decoder (GW-9). */
export function outboundHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const out: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) throw new EgressRefused("a header name contains a character that HTTP does not allow");
    if (RESERVED_HEADERS.has(lower)) throw new EgressRefused(`header "${lower}" can only be set by the HTTP client`);
    if (!HEADER_VALUE.test(value)) {
      throw new EgressRefused(`the value of header "${lower}" contains a character that HTTP does not allow`);
    }
    out[lower] = value;
  }
  out["accept-encoding"] = "identity";
  return out;
}

function parse(text: string | URL): URL {
  const url = URL.parse(String(text));
  if (!url) throw new EgressRefused("not a valid URL");
  return url;
}
