import { randomBytes } from "node:crypto";

/** Passed as an argument, so that tests can use fixed bytes. */
export type RandomBytes = (size: number) => Uint8Array;

export const systemRandom: RandomBytes = (size) => randomBytes(size);

/** A random integer below 2^30. */
export function randomUint30(random: RandomBytes): number {
  return Buffer.from(random(4)).readUInt32BE() >>> 2;
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `length` unbiased base-62 characters. Bytes beyond the largest multiple of 62 are discarded. */
export function randomBase62(random: RandomBytes, length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of random(length - text.length + 8)) {
      if (byte < 248 && text.length < length) text += BASE62.charAt(byte % 62);
    }
  }
  return text;
}

export function toBase62(value: number, length: number): string {
  let rest = value;
  let text = "";
  for (let i = 0; i < length; i++) {
    text = BASE62.charAt(rest % 62) + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
