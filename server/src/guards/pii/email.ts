import { charTable, DIGITS, isIn, LOWER, UPPER } from "../text/char-table.ts";
import type { Recognizer } from "./recognizer.ts";

const MAX_LOCAL = 64;
const MAX_DOMAIN = 253;
const LOCAL = charTable(`${DIGITS}${LOWER}${UPPER}._%+-'`);
const DOMAIN = charTable(`${DIGITS}${LOWER}${UPPER}.-`);
/** A domain label, dots between labels, and a top-level domain of letters. */
const LABEL = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;
const TOP_LEVEL = /^(?:[A-Za-z]{2,24}|xn--[A-Za-z0-9-]{2,59})$/;
/** `icon@2x.png` is a file. */
const FILE_ENDING =
  /\.(?:png|jpe?g|gif|svg|webp|avif|ico|css|s[ac]ss|m?[jt]sx?|json|html?|md|txt|py|rb|go|rs|sh|ya?ml|toml|lock)$/i;

export const email: Recognizer = {
  entity: "email",
  minDigits: 0,
  find({ text }, found) {
    for (let at = text.indexOf("@"); at >= 0; at = text.indexOf("@", at + 1)) {
      const start = localStart(text, at);
      const end = domainEnd(text, at);
      const local = text.slice(start, at);
      if (isLocal(local) && isDomain(text.slice(at + 1, end)) && !isRemote(text, local, end)) found(start, end, 9);
    }
  },
};

function localStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < MAX_LOCAL && isIn(LOCAL, text.charCodeAt(start - 1))) start--;
  while (start < at && /[.'-]/.test(text[start] ?? "")) start++;
  return start;
}

function domainEnd(text: string, at: number): number {
  let end = at + 1;
  while (end - at <= MAX_DOMAIN && isIn(DOMAIN, text.charCodeAt(end))) end++;
  while (end > at + 1 && /[.-]/.test(text[end - 1] ?? "")) end--;
  return end;
}

function isLocal(local: string): boolean {
  return local !== "" && !local.endsWith(".") && !local.includes("..");
}

function isDomain(domain: string): boolean {
  const labels = domain.split(".");
  if (labels.length < 2 || FILE_ENDING.test(domain)) return false;
  return TOP_LEVEL.test(labels.at(-1) ?? "") && labels.every((label) => LABEL.test(label));
}

/** `git@github.com:owner/repository` and `user:password@host` are no mailboxes. */
function isRemote(text: string, local: string, end: number): boolean {
  return (local === "git" && (text[end] === ":" || text[end] === "/")) || /^[:/]\w/.test(text.slice(end, end + 2));
}
