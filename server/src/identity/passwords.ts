import { scrypt, timingSafeEqual } from "node:crypto";
import { createConcurrencyLimit } from "#lib/concurrency-limit";
import { Refusal } from "#lib/errors";
import type { RandomBytes } from "#lib/random";

/** WEB-10: slow, salted hashes. Each costs memory and CPU, so concurrency is limited. */
export interface Passwords {
  hash(password: string): Promise<string>;
  /** Without a hash, does the same work and returns false, so timing reveals nothing (AUTH-5). */
  verify(password: string, hash: string | undefined, caller: PasswordCaller): Promise<boolean>;
}

export interface PasswordCaller {
  /** The person has signed in in this browser before. Known browsers have a separate queue, which others cannot fill. */
  readonly isKnown: boolean;
}

export interface PasswordCost {
  /** Logarithm of N. */
  readonly log2N: number;
  readonly r: number;
  readonly p: number;
}

/** OWASP's recommendation for scrypt: 32 MB and about a third of a second of one core. */
const SLOW: PasswordCost = { log2N: 15, r: 8, p: 3 };
const MAX_CONCURRENT = 2;
const MAX_CONCURRENT_KNOWN = 1;
const MAX_WAITING = 50;
const RETRY_SECONDS = 5;
const SALT_BYTES = 16;
const KEY_BYTES = 32;

type Derive = (password: string, salt: Uint8Array, cost: PasswordCost) => Promise<Buffer>;

function createQueue(maxConcurrent: number): Derive {
  const limitConcurrency = createConcurrencyLimit(maxConcurrent);
  let waiting = 0;
  return async (password, salt, cost) => {
    if (waiting >= MAX_WAITING) {
      throw new Refusal("unavailable", "Too many concurrent sign-ins. Try again in a few seconds.", {
        retryAfterSeconds: RETRY_SECONDS,
      });
    }
    waiting++;
    try {
      return await limitConcurrency(() => deriveKey(password, salt, cost));
    } finally {
      waiting--;
    }
  };
}

export function createPasswords(random: RandomBytes, cost: PasswordCost = SLOW): Passwords {
  const queues = { anyone: createQueue(MAX_CONCURRENT), known: createQueue(MAX_CONCURRENT_KNOWN) };
  return {
    async hash(password) {
      const salt = random(SALT_BYTES);
      return formatHash({ ...cost, salt, key: await queues.known(password, salt, cost) });
    },
    async verify(password, hash, { isKnown }) {
      const { salt, key, ...hashCost } = parseHash(hash) ?? {
        ...cost,
        salt: new Uint8Array(SALT_BYTES),
        key: undefined,
      };
      const derive = isKnown ? queues.known : queues.anyone;
      const derived = await derive(password, salt, hashCost);
      return key !== undefined && timingSafeEqual(derived, key);
    },
  };
}

interface Stored extends PasswordCost {
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

/** `scrypt$15$8$3$<salt>$<key>`. The parameters are stored, so a later release can change them. */
function formatHash({ log2N, r, p, salt, key }: Stored): string {
  const [saltText, keyText] = [salt, key].map((bytes) => Buffer.from(bytes).toString("base64url"));
  return `scrypt$${log2N}$${r}$${p}$${saltText}$${keyText}`;
}

function parseHash(hash: string | undefined): Stored | undefined {
  const parts = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(hash ?? "");
  if (!parts) return undefined;
  const [log2N, r, p] = parts.slice(1, 4).map(Number) as [number, number, number]; // the pattern guarantees three numbers
  const key = Buffer.from(parts[5] ?? "", "base64url");
  return key.length === KEY_BYTES ? { log2N, r, p, salt: Buffer.from(parts[4] ?? "", "base64url"), key } : undefined;
}

function deriveKey(password: string, salt: Uint8Array, { log2N, r, p }: PasswordCost): Promise<Buffer> {
  const N = 2 ** log2N;
  const options = { N, r, p, maxmem: 256 * r * (N + p + 2) };
  return new Promise((resolve, reject) => {
    // Keyboards can encode the same password as different code points.
    scrypt(password.normalize("NFKC"), salt, KEY_BYTES, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
}
