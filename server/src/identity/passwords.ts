import { scrypt, timingSafeEqual } from "node:crypto";
import { createConcurrencyLimit } from "#lib/concurrency-limit";
import { Refusal } from "#lib/errors";
import type { RandomBytes } from "#lib/random";

/** WEB-10: passwords as slow, salted hashes; several at once cost memory and cores, so only so many are made at once. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash the same work is done, and the answer is no: whoever waits for it learns nothing (AUTH-5). */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

export interface PasswordCost {
  /** As a power of two. */
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MB and about a third of a second of one core: what OWASP asks of scrypt. */
const SLOW: PasswordCost = { log2N: 15, r: 8, p: 3 };
const AT_ONCE = 2;
const MOST_WAITING = 50;
const RETRY_SECONDS = 5;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

export function createPasswords(random: RandomBytes, cost: PasswordCost = SLOW): Passwords {
  const inTurn = createConcurrencyLimit(AT_ONCE);
  let waiting = 0;
  const derive = async (password: string, salt: Uint8Array, made: PasswordCost): Promise<Buffer> => {
    if (waiting >= MOST_WAITING) {
      throw new Refusal("unavailable", "Too many people sign in at once", { retryAfterSeconds: RETRY_SECONDS });
    }
    waiting++;
    try {
      return await inTurn(() => deriveKey(password, salt, made));
    } finally {
      waiting--;
    }
  };
  return {
    async hash(password) {
      const salt = random(SALT_BYTES);
      return written({ ...cost, salt, key: await derive(password, salt, cost) });
    },
    async verify(password, hash) {
      const { salt, key, ...made } = read(hash) ?? { ...cost, salt: new Uint8Array(SALT_BYTES), key: undefined };
      const derived = await derive(password, salt, made);
      return key !== undefined && timingSafeEqual(derived, key);
    },
  };
}

interface Stored extends PasswordCost {
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

/** `scrypt$15$8$3$<salt>$<key>`: a later release may ask for more, and still reads what was made before. */
function written({ log2N, r, p, salt, key }: Stored): string {
  const [saltText, keyText] = [salt, key].map((bytes) => Buffer.from(bytes).toString("base64url"));
  return `scrypt$${log2N}$${r}$${p}$${saltText}$${keyText}`;
}

function read(hash: string | undefined): Stored | undefined {
  const parts = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash ?? "");
  if (!parts) return undefined;
  const [log2N, r, p] = parts.slice(1, 4).map(Number) as [number, number, number]; // the pattern has these three
  const key = Buffer.from(parts[5] ?? "", "base64url");
  return key.length === KEY_BYTES ? { log2N, r, p, salt: Buffer.from(parts[4] ?? "", "base64url"), key } : undefined;
}

function deriveKey(password: string, salt: Uint8Array, { log2N, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 256 * r * (N + p + 2) };
  return new Promise((resolve, reject) => {
    // The same password typed on another keyboard may come as other code points.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
