import { isIPv6 } from "node:net";
import { contextWords, type TextForm } from "../checks/text-check.ts";
import { isWordAt } from "../text/char-table.ts";
import { type Find, isJoined, type Recognizer } from "./recognizer.ts";

const OCTET = "(?:25[0-5]|2[0-4]\\d|1\\d{2}|[1-9]?\\d)";
const V4 = new RegExp(`${OCTET}(?:\\.${OCTET}){3}`, "g");
const V6 = /[0-9A-Fa-f]{0,4}:[0-9A-Fa-f:.]{1,43}[0-9A-Fa-f:]/g;
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
  for (const match of text.matchAll(V4)) {
    const start = match.index;
    const end = start + match[0].length;
    if (isJoined(text, start, end) || VERSION.test(lower.slice(Math.max(0, start - 20), start))) continue;
    found(start, end, UNSPECIFIC.test(match[0]) ? 4 : 8);
  }
}

function findV6(text: string, found: Find): void {
  for (const match of text.matchAll(V6)) {
    const start = match.index;
    const address = match[0].endsWith(":") && !match[0].endsWith("::") ? match[0].slice(0, -1) : match[0];
    const end = start + address.length;
    if (isWordAt(text, start - 1) || isWordAt(text, end) || !isIPv6(address)) continue;
    // Fewer groups are `::1`, or punctuation of a programming language.
    if (address.split(":").filter((group) => group !== "").length >= 3) found(start, end, 8);
  }
}

const MAC = /[0-9A-Fa-f]{2}([:-])[0-9A-Fa-f]{2}(?:\1[0-9A-Fa-f]{2}){4}|[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4}/g;
const UNUSED_MAC = /^(?:00[:-]?){6}$|^(?:ff[:-]?){6}$/i;

/** Hardware addresses. A longer sequence is a fingerprint or a UUID. */
export const macAddress: Recognizer = {
  entity: "mac_address",
  literals: [":", "-", "."],
  minDigits: 1,
  find({ text }, found) {
    for (const match of text.matchAll(MAC)) {
      const start = match.index;
      const end = start + match[0].length;
      if (isWordAt(text, start - 1) || isWordAt(text, end) || UNUSED_MAC.test(match[0])) continue;
      if (isPart(text, start - 1, -1) || isPart(text, end, 1)) continue;
      found(start, end, match[1] === ":" ? 9 : 8);
    }
  },
};

/** Whether a separator and another letter or digit follow in this direction. */
function isPart(text: string, at: number, step: number): boolean {
  return /[:.-]/.test(text[at] ?? "") && isWordAt(text, at + step);
}
