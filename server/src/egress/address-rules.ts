/**
 * The address rules for outbound connections (OA-6). Public unicast addresses are allowed, everything else needs
 * EGRESS_ALLOW, and link-local and cloud metadata addresses are never allowed. The ranges are from the IANA
 * special-purpose registries; ipaddr.js only parses and compares, because it classifies ::7f00:1 as "unicast".
 */
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { EgressRefused } from "./failure.ts";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Cidr = readonly [Address, number];

/** The parsed EGRESS_ALLOW: address ranges and host names. */
export interface AllowList {
  readonly ranges: readonly Cidr[];
  readonly hostnames: ReadonlySet<string>;
}

export type AddressVerdict = { allowed: true } | { allowed: false; reason: string; never: boolean };

/** The default of EGRESS_ALLOW if the service listens only on loopback. */
export const LOOPBACK_ALLOW = "127.0.0.0/8,::1/128";

const HOSTNAME = /^(?!-)[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;

const METADATA_HOSTNAMES = new Set([
  "metadata",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "instance-data",
  "instance-data.ec2.internal",
]);

const NEVER = ranges([
  ["169.254.0.0/16", "link-local"],
  ["fe80::/10", "link-local"],
  ["100.100.100.200/32", "cloud metadata"], // Alibaba
  ["168.63.129.16/32", "cloud metadata"], // Azure's host, in the public range
  ["192.0.0.192/32", "cloud metadata"], // Oracle
  ["fd00:c1::a9fe:a9fe/128", "cloud metadata"], // Oracle
  ["fd00:ec2::/32", "cloud metadata"], // AWS: metadata ::254, pod credentials ::23
  ["fd20:ce::254/128", "cloud metadata"], // Google
  ["fd00:42::42/128", "cloud metadata"], // Scaleway
]);

/** In order: the first match is the reason. */
const SPECIAL = ranges([
  ["0.0.0.0/8", "unspecified"],
  ["10.0.0.0/8", "private"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "loopback"],
  ["172.16.0.0/12", "private"],
  ["192.0.0.0/24", "reserved"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "reserved"],
  ["192.168.0.0/16", "private"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["255.255.255.255/32", "broadcast"],
  ["240.0.0.0/4", "reserved"],
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "IPv4-compatible"],
  ["64:ff9b:1::/48", "local NAT64"],
  ["2001::/32", "Teredo"],
  ["2001:2::/48", "benchmarking"],
  ["2001::/23", "reserved"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["3fff::/20", "documentation"],
  ["fc00::/7", "private"],
  ["ff00::/8", "multicast"],
]);

const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3");
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");
const TRANSLATED = ipaddr.parseCIDR("::ffff:0:0:0/96");
const MAPPED = ipaddr.parseCIDR("::ffff:0:0/96");

export function parseAllowList(text: string): AllowList {
  const parsed: Cidr[] = [];
  const hostnames = new Set<string>();
  for (const raw of text.split(",")) {
    const entry = raw.trim().toLowerCase();
    if (entry === "") continue;
    const cidr = parseRange(entry);
    // domainToASCII parses a URL host and drops what follows: "intern/8" would allow "intern".
    const hostname = /[/?#\\]/.test(entry) ? "" : domainToASCII(bareName(entry));
    if (cidr) parsed.push(cidr);
    // A short or octal spelling of an address is not a host name, and would allow something unexpected.
    else if (HOSTNAME.test(hostname) && isIP(hostname) === 0) hostnames.add(hostname);
    else throw new Error(`"${raw.trim()}" is neither an address, nor a CIDR, nor a host name`);
  }
  return { ranges: parsed, hostnames };
}

/** `hostname` is the name that resolved to the address, or the address itself if the URL contains it. */
export function checkAddress(ip: string, hostname: string, allow: AllowList): AddressVerdict {
  if (isMetadataName(hostname)) return { allowed: false, reason: "cloud metadata", never: true };
  const text = ip.replace(/%.*$/, "");
  if (isIP(text) === 0) return { allowed: false, reason: "not an address", never: true };
  const address = withoutMapping(parseIp(text));
  const parts = [address, ...embedded(address)];
  for (const part of parts) {
    const reason = firstMatch(part, NEVER);
    if (reason) return { allowed: false, reason, never: true };
  }
  if (allow.hostnames.has(bareName(hostname)) || isListed(address, allow)) return { allowed: true };
  for (const part of parts) {
    const reason = notPublic(part);
    if (reason && !isListed(part, allow)) return { allowed: false, reason, never: false };
  }
  return { allowed: true };
}

/** Some names are rejected before they are resolved. */
export function assertHostname(hostname: string): void {
  if (!isMetadataName(hostname)) return;
  throw new EgressRefused(`host "${hostname}" is cloud metadata, which is never allowed`, { never: true });
}

function isMetadataName(hostname: string): boolean {
  return METADATA_HOSTNAMES.has(bareName(hostname));
}

/** The error for administrators, which names the setting that allows the address. */
export function refusal(ip: string, hostname: string, verdict: { reason: string; never: boolean }): EgressRefused {
  const subject = ip === hostname ? `address ${ip}` : `address ${ip} of host "${hostname}"`;
  if (verdict.never) return new EgressRefused(`${subject} is ${verdict.reason}, which is never allowed`, verdict);
  return new EgressRefused(`${subject} is ${verdict.reason}; add it to EGRESS_ALLOW to allow it`);
}

function bareName(hostname: string): string {
  return hostname.toLowerCase().replace(/\.$/, "");
}

function parseRange(entry: string): Cidr | undefined {
  const [ip = "", bits] = entry.split("/", 2);
  if (isIP(ip) === 0 || entry.split("/").length > 2) return undefined;
  const address = parseIp(ip);
  const width = address.kind() === "ipv4" ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > width)) return undefined;
  const length = bits === undefined ? width : Number(bits);
  const plain = withoutMapping(address);
  return plain === address || length < 96 ? [address, length] : [plain, length - 96];
}

/** The text has passed `isIP`. In hex, because ipaddr.js parses ::127.0.0.1 as ::ffff:127.0.0.1. */
function parseIp(text: string): Address {
  return ipaddr.parse(isIP(text) === 6 ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text);
}

function ranges(rows: readonly (readonly [string, string])[]): readonly { cidr: Cidr; reason: string }[] {
  return rows.map(([cidr, reason]) => ({ cidr: ipaddr.parseCIDR(cidr), reason }));
}

function matches(address: Address, [network, bits]: Cidr): boolean {
  if (address instanceof ipaddr.IPv4) return network instanceof ipaddr.IPv4 && address.match(network, bits);
  return network instanceof ipaddr.IPv6 && address.match(network, bits);
}

function firstMatch(address: Address, table: ReturnType<typeof ranges>): string | undefined {
  return table.find(({ cidr }) => matches(address, cidr))?.reason;
}

function isListed(address: Address, allow: AllowList): boolean {
  return allow.ranges.some((cidr) => matches(address, cidr));
}

function notPublic(address: Address): string | undefined {
  const special = firstMatch(address, SPECIAL);
  if (special || address instanceof ipaddr.IPv4) return special;
  // NAT64 with its well-known prefix and SIIT lead to an IPv4 address, which is checked separately.
  if (matches(address, GLOBAL_V6) || matches(address, NAT64) || matches(address, TRANSLATED)) return undefined;
  return "reserved";
}

/** ::ffff:a.b.c.d is a.b.c.d, because the socket uses IPv4. */
function withoutMapping(address: Address): Address {
  return address instanceof ipaddr.IPv6 && matches(address, MAPPED) ? address.toIPv4Address() : address;
}

/** Every IPv4 address that traffic to an IPv6 address can be translated to. */
function embedded(address: Address): Address[] {
  if (address instanceof ipaddr.IPv4) return [];
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = address.parts;
  const last = v4(g, h);
  const compatible = a === 0 && b === 0 && c === 0 && d === 0 && e === 0 && f === 0;
  if (compatible || matches(address, NAT64) || matches(address, TRANSLATED)) return [last];
  // RFC 6052: operators choose the prefix length, so the IPv4 address is at one of these positions.
  if (a === 0x64 && b === 0xff9b && c === 1) {
    const e8f8 = ((e & 0xff) << 8) | (f >> 8);
    const f8g8 = ((f & 0xff) << 8) | (g >> 8);
    const d8e8 = ((d & 0xff) << 8) | (e & 0xff);
    return [last, v4(d, e8f8), v4(d8e8, f), v4(e8f8, f8g8)];
  }
  if (a === 0x2002) return [v4(b, c)];
  if (a === 0x2001 && b === 0) return [v4(c, d), v4(g ^ 0xffff, h ^ 0xffff)]; // Teredo: its server and its client
  if ((e & 0xfdff) === 0 && f === 0x5efe) return [last]; // ISATAP
  return [];
}

function v4(high: number, low: number): ipaddr.IPv4 {
  return new ipaddr.IPv4([high >> 8, high & 0xff, low >> 8, low & 0xff]);
}
