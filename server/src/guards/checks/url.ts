import { isIPv6 } from "node:net";
import type { UrlConfig } from "../definition.ts";
import { compileHostGlob } from "../glob.ts";
import { allMatches } from "../text/all-matches.ts";
import type { LiteralRegistry } from "../text/literal-scanner.ts";
import { replacementFor, type TextCheck } from "./text-check.ts";

/**
 * URLs with a scheme, also with the slashes that browsers tolerate, and those without a scheme (`//host`). The
 * alternatives start with different characters and every quantifier is bounded, so this is linear.
 */
const URLS =
  /(?:\b(?:https?|wss?|ftps?|sftp|ssh|git)[ \t]{0,2}:[\\/]{1,8}|(?<![:\w/\\])[\\/]{2})[^\s"'`<>|{}^]{1,2048}/gi;
const TRAILING = /[.,;:!?)\]]{1,8}$/;
const SCHEME = /^([a-z]+)[ \t]{0,2}:[\\/]{1,8}/i;

/** Finds URLs whose host is denied or, with a list of allowed hosts, not allowed. */
export function createUrlCheck(
  config: UrlConfig,
  name: string,
  certainty: number,
  literals: LiteralRegistry,
): TextCheck {
  const allowed = config.allow.map(compileHostGlob);
  const denied = config.deny.map(compileHostGlob);
  const replacement = replacementFor(name);
  const isRefused = (host: string) =>
    denied.some((matches) => matches(host)) || (allowed.length > 0 && !allowed.some((matches) => matches(host)));
  return {
    triggers: ["//", ":/", ":\\", "\\\\"].map((literal) => literals.add(literal)),
    minLength: 4,
    minDigits: 0,
    readsBase64: false,
    scan({ text }, report) {
      for (const match of allMatches(URLS, text)) {
        const url = match[0].replace(TRAILING, "");
        const host = hostOf(url);
        // An unreadable URL cannot be allowed, and a client may read it differently.
        const refused = host === undefined ? allowed.length > 0 && /\w\.\w/.test(url) : isRefused(host);
        if (refused) report(match.index, match.index + url.length, certainty, replacement);
      }
    },
  };
}

/** The host as a browser reads it; undefined if it is none. */
export function hostOf(url: string): string | undefined {
  const scheme = SCHEME.exec(url);
  // Only special schemes have the lenient parser that clients use, so the others are read as https.
  const rest = scheme === null ? url.replace(/^[\\/]+/, "") : url.slice(scheme[0].length);
  const parsed = URL.parse(`https://${rest}`);
  if (parsed === null || parsed.hostname === "") return undefined;
  const host = parsed.hostname.replace(/\.$/, "");
  return host.startsWith("[") && isIPv6(host.slice(1, -1)) ? host.slice(1, -1) : host;
}
