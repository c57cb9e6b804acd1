import type { IncomingMessage } from "node:http";
import type { Config } from "#config/config";
import { createAddressList } from "#lib/address-list";
import type { Logger } from "#lib/logger";
import { isLoopbackName } from "#lib/loopback-name";

/** Reports a proxy whose `X-Forwarded-For` is ignored: all callers then share its address and the limits per address. */
export interface ProxyWarning {
  /** Called for each request. */
  observe(request: IncomingMessage): void;
  /** Undefined: there is nothing to report. */
  message(): string | undefined;
}

export function createProxyWarning(
  { baseUrl, trustedProxies }: Pick<Config, "baseUrl" | "trustedProxies">,
  logger: Pick<Logger, "warn">,
): ProxyWarning {
  let message: string | undefined;
  if (isLoopbackName(new URL(baseUrl).hostname)) return { observe: () => {}, message: () => undefined };
  // Gatehouse serves no TLS, so there must be a proxy.
  if (baseUrl.startsWith("https:") && trustedProxies.length === 0) {
    logger.warn(
      "TRUSTED_PROXIES is not set, although BASE_URL is https. Set it to the address of the proxy. Otherwise all callers have the address of the proxy and share one limit for failed sign-ins and wrong credentials.",
    );
  }
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
