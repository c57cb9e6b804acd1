import { isIPv6 } from "node:net";

/** What a limit per caller counts by: whoever has one IPv6 address has a whole /64 of them. */
export function networkOf(address: string): string {
  if (!isIPv6(address) || address.includes(".")) return address;
  const [head = "", tail = ""] = address.split("::");
  const parts = head.split(":").filter(Boolean);
  const rest = tail.split(":").filter(Boolean);
  const zeros = address.includes("::") ? Array.from({ length: 8 - parts.length - rest.length }, () => "0") : [];
  const network = [...parts, ...zeros, ...rest].slice(0, 4);
  return network.map((part) => Number.parseInt(part, 16).toString(16)).join(":");
}
