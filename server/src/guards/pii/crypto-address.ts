import { createHash } from "node:crypto";
import { contextWords, withContext } from "../checks/text-check.ts";
import { allMatches } from "../text/all-matches.ts";
import { isWordAt } from "../text/char-table.ts";
import { keccak256 } from "./keccak.ts";
import type { Recognizer } from "./recognizer.ts";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/** Bitcoin, Litecoin, Dogecoin and Tron: a version byte, 20 bytes and a checksum. */
const BASE58_ADDRESS = /[13LMDT][1-9A-HJ-NP-Za-km-z]{25,34}/g;
const VERSIONS = new Set([0x00, 0x05, 0x30, 0x32, 0x1e, 0x41]);
const SEGWIT_ADDRESS = /(?:bc1|ltc1)[02-9ac-hj-np-z]{11,71}/gi;
const ETHEREUM_ADDRESS = /0x[0-9A-Fa-f]{40}/g;
const CONTEXT = contextWords([
  "eth",
  "wallet",
  "address",
  "erc",
  "token",
  "0x",
  "contract",
  "polygon",
  "crypto",
  "send to",
  "recipient",
]);

/** Addresses of cryptocurrencies; all of these have checksums. */
export const cryptoAddress: Recognizer = {
  entity: "crypto_address",
  minDigits: 1,
  minRun: 26,
  find(form, found) {
    const { text } = form;
    const each = (pattern: RegExp, certainty: (match: string, start: number) => number) => {
      for (const match of allMatches(pattern, text)) {
        const start = match.index;
        const end = start + match[0].length;
        if (isWordAt(text, start - 1) || isWordAt(text, end)) continue;
        const value = certainty(match[0], start);
        if (value > 0) found(start, end, value);
      }
    };
    each(BASE58_ADDRESS, (match) => (isBase58Check(match) ? 10 : 0));
    each(SEGWIT_ADDRESS, (match) => (isBech32(match) ? 10 : 0));
    each(ETHEREUM_ADDRESS, (match, start) => {
      const kind = ethereumKind(match.slice(2));
      if (kind === "invalid") return 0;
      if (kind === "checksum") return 10;
      // Without upper case there is no checksum, and hashes of 20 bytes look the same.
      return withContext(6, form.hasContext(start, start + 42, CONTEXT));
    });
  },
};

function isBase58Check(text: string): boolean {
  let value = 0n;
  for (const char of text) value = value * 58n + BigInt(BASE58.indexOf(char));
  const hex = value.toString(16).padStart(50, "0");
  if (hex.length !== 50) return false;
  const bytes = Buffer.from(hex, "hex");
  const digest = sha256(sha256(bytes.subarray(0, 21)));
  return VERSIONS.has(bytes[0] ?? -1) && digest.subarray(0, 4).equals(bytes.subarray(21));
}

function sha256(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** BIP 173 and BIP 350. */
function isBech32(text: string): boolean {
  const lower = text.toLowerCase();
  if (lower !== text && text.toUpperCase() !== text) return false;
  const separator = lower.lastIndexOf("1");
  const prefix = lower.slice(0, separator);
  const values = [...prefix].map((char) => char.charCodeAt(0) >> 5);
  values.push(0, ...[...prefix].map((char) => char.charCodeAt(0) & 31));
  for (const char of lower.slice(separator + 1)) values.push(BECH32.indexOf(char));
  const checksum = polymod(values);
  return checksum === 1 || checksum === 0x2bc830a3;
}

const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

function polymod(values: readonly number[]): number {
  let checksum = 1;
  for (const value of values) {
    const top = checksum >>> 25;
    checksum = ((checksum & 0x1ffffff) << 5) ^ value;
    for (const [bit, generator] of GENERATOR.entries()) if ((top >>> bit) & 1) checksum ^= generator;
  }
  return checksum >>> 0;
}

/** EIP-55: the case of each letter is a bit of the hash. */
function ethereumKind(hex: string): "checksum" | "plain" | "invalid" {
  const lower = hex.toLowerCase();
  if (/^0+$/.test(lower)) return "invalid";
  if (hex === lower || hex === hex.toUpperCase()) return "plain";
  const hash = keccak256(Buffer.from(lower)).toString("hex");
  for (let at = 0; at < hex.length; at++) {
    const isUpper = Number.parseInt(hash[at] ?? "0", 16) >= 8;
    const expected = isUpper ? lower[at]?.toUpperCase() : lower[at];
    if (hex[at] !== expected) return "invalid";
  }
  return "checksum";
}
