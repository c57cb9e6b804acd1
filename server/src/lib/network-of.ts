import { isIPv6 } from "node:net";

/** The key for limits per caller. One customer usually has a whole IPv6 /64, so IPv6 addresses are reduced to it. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail = ""] = address.split("::");
  const parts = head.split(":").filter(Boolean);
  const rest = tail.split(":").filter(Boolean);
  const zeros = address.includes("::") ? Array.from({ length: 8 - parts.length - rest.length }, () => "0") : [];
  const network = [...parts, ...zeros, ...rest].slice(0, 4);
  return network.map((part) => Number.parseInt(part, 16).toString(16)).join(":");
}
