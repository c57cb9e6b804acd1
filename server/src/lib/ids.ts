import type { Clock } from "./clock.ts";
import type { RandomBytes } from "./random.ts";

/** The prefix of an ID identifies its kind of record. */
export type IdPrefix =
  | "srv"
  | "grp"
  | "usr"
  | "crd"
  | "tok"
  | "con"
  | "aud"
  | "ckp"
  | "req"
  | "tol"
  | "spl"
  | "lse"
  | "ses"
  | "msg"
  | "cli"
  | "flw"
  | "rst"
  | "acr"
  | "tkt"
  | "skl"
  | "cmd"
  | "plg"
  | "agt"
  | "iss"
  | "exc"
  | "grd"
  | "apr"
  | "whk"
  | "whd"
  | "wha"
  | "evt"
  | "lgd"
  | "eml"
  | "rule"
  | "pch"
  | "vio";

/** Creates `<prefix>_<26 characters>`: 48 bits of time, then 80 random bits, so IDs sort by creation time. */
export type NewId = (prefix: IdPrefix) => string;

const CROCKFORD = "0123456789abcdefghjkmnpqrstvwxyz";

const RANDOM_CHARACTERS = 16;
/** Asking the system for random bytes takes longer than everything else about an ID, and each request gets one. */
const IDS_PER_REFILL = 128;

export function createIds(clock: Pick<Clock, "now">, random: RandomBytes): NewId {
  let bytes: Uint8Array = new Uint8Array(0);
  let used = 0;
  return (prefix) => {
    if (used === bytes.length) {
      bytes = random(RANDOM_CHARACTERS * IDS_PER_REFILL);
      used = 0;
    }
    const own = bytes.subarray(used, used + RANDOM_CHARACTERS);
    used += RANDOM_CHARACTERS;
    return `${prefix}_${timePart(clock.now())}${randomPart(own)}`;
  };
}

function timePart(epochMs: number): string {
  let rest = epochMs;
  let text = "";
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function randomPart(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += CROCKFORD.charAt(byte & 31);
  return text;
}
