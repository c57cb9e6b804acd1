import { isIPv4, isIPv6 } from "node:net";
import { contextWords, type TextForm } from "../checks/text-check.ts";
import { allMatches } from "../text/all-matches.ts";
import { charTable, DIGITS, isIn, isWordAt } from "../text/char-table.ts";
import { type Find, isJoined, type Recognizer } from "./recognizer.ts";

const V4 = /\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}/g;
const V6_CHARACTERS = charTable(`${DIGITS}abcdefABCDEF:.`);
const MAX_V6_LENGTH = 45;
/** A version has four numbers too. */
const VERSION = contextWords(["v(?:ersion)?[ :=]{0,2}$", "version", "release", "build", "chrome/", "firmware"]);
/** Addresses that every machine has identify none. */
const UNSPECIFIC = /^(?:127\.|0\.0\.0\.0$|255\.255\.255\.|224\.0\.0\.|169\.254\.169\.254$)/;

export const ipAddress: Recognizer = {
  entity: "ip_address",
  minDigits: 1,
  find(form, found) {
    if (form.profile.digits >= 4) findV4(form, found);
    findV6(form.text, found);
  },
};

function findV4({ text, lower }: TextForm, found: Find): void {
  if (!text.includes(".")) return;
  for (const match of allMatches(V4, text)) {
    const start = match.index;
    const end = start + match[0].length;
    if (isJoined(text, start, end) || !isIPv4(match[0])) continue;
    if (VERSION.test(lower.slice(Math.max(0, start - 20), start))) continue;
    found(start, end, UNSPECIFIC.test(match[0]) ? 4 : 8);
  }
}

function findV6(text: string, found: Find): void {
  let end = 0;
  for (let at = text.indexOf(":"); at >= 0; at = text.indexOf(":", Math.max(at + 1, end))) {
    let start = at;
    while (start > end && at - start < 5 && isIn(V6_CHARACTERS, text.charCodeAt(start - 1))) start--;
    end = at + 1;
    while (end - start <= MAX_V6_LENGTH && isIn(V6_CHARACTERS, text.charCodeAt(end))) end++;
    const address = withoutPunctuation(text.slice(start, end));
    if (isWordAt(text, start - 1) || isWordAt(text, start + address.length) || !isV6(address)) continue;
    // Fewer groups are `::1`, or punctuation of a programming language.
    if (address.split(":").filter((group) => group !== "").length >= 3) found(start, start + address.length, 8);
  }
}

/** Most candidates have one colon, as in `https:`. */
function isV6(address: string): boolean {
  return address.indexOf(":") !== address.lastIndexOf(":") && isIPv6(address);
}

/** Without the period or colon that ends a sentence. */
function withoutPunctuation(address: string): string {
  return address.endsWith("::") ? address : address.replace(/[.:]$/, "");
}

const MAC = /[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}/y;
const CISCO_MAC = /[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}/y;
const UNUSED_MAC = /^(?:00[:-]?){6}$|^(?:ff[:-]?){6}$/i;

/** Hardware addresses. A longer sequence is a fingerprint or a UUID. */
export const macAddress: Recognizer = {
  entity: "mac_address",
  minDigits: 1,
  find({ text }, found) {
    findMac(text, ":", 2, 3, MAC, (start, end) => found(start, end, 9));
    findMac(text, "-", 2, 3, MAC, (start, end) => found(start, end, 8));
    findMac(text, ".", 4, 5, CISCO_MAC, (start, end) => found(start, end, 8));
  },
};

/** `group` characters precede each separator, and the next one follows `distance` later. */
function findMac(
  text: string,
  separator: string,
  group: number,
  distance: number,
  pattern: RegExp,
  found: (start: number, end: number) => void,
): void {
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (text[at + distance] !== separator || at < group) continue;
    pattern.lastIndex = at - group;
    const match = pattern.exec(text)?.[0];
    if (match === undefined || UNUSED_MAC.test(match)) continue;
    const start = at - group;
    const end = start + match.length;
    at = end;
    if (isWordAt(text, start - 1) || isWordAt(text, end) || isPart(text, start - 1, -1) || isPart(text, end, 1))
      continue;
    found(start, end);
  }
}

/** Whether a separator and another letter or digit follow in this direction. */
function isPart(text: string, at: number, step: number): boolean {
  return /[:.-]/.test(text[at] ?? "") && isWordAt(text, at + step);
}
