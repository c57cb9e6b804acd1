import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { createAddressList } from "./address-list.ts";

export type AddressOf = (request: Pick<IncomingMessage, "headers" | "socket">) => string;

/** The caller's IP address: the nearest one that no trusted proxy has. Only trusted proxies are believed. */
export function createAddressOf(trustedProxies: readonly string[]): AddressOf {
  const isTrusted = createAddressList(trustedProxies);
  return ({ headers, socket }) => {
    let address = socket.remoteAddress ?? "";
    if (trustedProxies.length === 0) return address;
    const forwarded = headers["x-forwarded-for"];
    const entries = (typeof forwarded === "string" ? forwarded : "").split(",").map((entry) => entry.trim());
    for (let next = entries.pop(); next !== undefined && isTrusted(address) && isIP(next) !== 0; next = entries.pop()) {
      address = next;
    }
    return address;
  };
}
