import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { Config } from "#config/config";
import { checkAddress, parseAllowList } from "#egress/address-rules";
import { createAddressList } from "#lib/address-list";
import type { Logger } from "#lib/logger";
import { isLoopbackName } from "#lib/loopback-name";

type ProxySettings = Pick<Config, "baseUrl" | "trustedProxies">;

const NO_EXCEPTIONS = parseAllowList("");

/** Reports a proxy whose `X-Forwarded-For` is ignored: all callers then share its address and the limits per address. */
export interface ProxyWarning {
  /** Called for each request. */
  observe(request: IncomingMessage): void;
  /** Undefined: there is nothing to report. */
  message(): string | undefined;
}

/** Why the settings look as if a proxy is missing in `TRUSTED_PROXIES`; undefined: they do not. */
export function missingProxies({ baseUrl, trustedProxies }: ProxySettings): string | undefined {
  if (trustedProxies.length > 0) return undefined;
  const effect =
    "all callers have the address of the proxy and share one limit for failed sign-ins and wrong credentials.";
  const { protocol, hostname } = new URL(baseUrl);
  // Gatehouse serves no TLS, so there must be a proxy.
  if (protocol === "https:") {
    return `TRUSTED_PROXIES is not set, although BASE_URL is https. Set it to the address of the proxy. Otherwise ${effect}`;
  }
  if (!isPublicName(hostname)) return undefined;
  return `TRUSTED_PROXIES is not set, although BASE_URL is public. If a proxy is in front, set it to the address of the proxy. Otherwise ${effect}`;
}

/** People reach loopback names, internal addresses, and names without a dot directly. */
function isPublicName(hostname: string): boolean {
  const address = hostname.replace(/^\[|\]$/g, "");
  if (isIP(address) !== 0) return checkAddress(address, address, NO_EXCEPTIONS).allowed;
  return hostname.includes(".") && !isLoopbackName(hostname);
}

export function createProxyWarning(
  { baseUrl, trustedProxies }: ProxySettings,
  logger: Pick<Logger, "warn">,
): ProxyWarning {
  let message: string | undefined;
  if (isLoopbackName(new URL(baseUrl).hostname)) return { observe: () => {}, message: () => undefined };
  const missing = missingProxies({ baseUrl, trustedProxies });
  if (missing !== undefined) logger.warn(missing);
  const isTrusted = createAddressList(trustedProxies);
  return {
    observe({ headers, socket }) {
      if (message !== undefined || headers["x-forwarded-for"] === undefined) return;
      const peer = socket.remoteAddress ?? "";
      if (isTrusted(peer)) return;
      message = `X-Forwarded-For of ${peer} is ignored, because TRUSTED_PROXIES does not contain this address. If it is your proxy, add it. Otherwise all callers have its address and share one limit for failed sign-ins and wrong credentials.`;
      logger.warn(message);
    },
    message: () => message,
  };
}
