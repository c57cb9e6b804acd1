import { createHash } from "node:crypto";
import type { Clock } from "#lib/clock";
import { createConcurrencyLimit } from "#lib/concurrency-limit";
import { evictOldest } from "#lib/evict-oldest";
import { SingleFlight } from "#lib/single-flight";
import { accessKeyExists } from "#records/credentials";
import type { MainDb } from "#storage/database";
import type { Publisher } from "./publisher.ts";

const REMEMBERED_MS = 10_000;
const MAX_REMEMBERED = 10_000;
const MAX_CONCURRENT = 8;
const MAX_WAITING = 500;

export interface CredentialRefreshNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly publisher: Publisher;
}

/**
 * Another replica may have just created a key or rotated its secret, so an unknown pair is looked up in the database
 * once before it is rejected. Lookups are limited, shared by concurrent requests, and not repeated for a while, so that
 * invented or outdated credentials cost little. A lookup beyond the limit waits: rejecting it could reject a valid key.
 */
export function createCredentialRefresh({ db, clock, publisher }: CredentialRefreshNeeds) {
  const flights = new SingleFlight<void>();
  /** When a pair was last looked up. The snapshot contains the result, so another lookup would find nothing new. */
  const lookedUp = new Map<string, number>();
  const limitConcurrency = createConcurrencyLimit(MAX_CONCURRENT);
  let unfinished = 0;

  const lookUp = async (accessKey: string, pair: string): Promise<void> => {
    if (unfinished >= MAX_CONCURRENT + MAX_WAITING) throw new Error("too many lookups of credentials");
    unfinished++;
    try {
      await limitConcurrency(async () => {
        if (await accessKeyExists(db, accessKey)) await publisher.catchUp();
      });
      remember(pair);
    } finally {
      unfinished--;
    }
  };
  const remember = (pair: string): void => {
    lookedUp.delete(pair);
    lookedUp.set(pair, clock.monotonic());
    evictOldest(lookedUp, MAX_REMEMBERED);
  };

  return {
    /** Resolves to false if the pair could not be looked up. */
    async refresh(accessKey: string, secret: string): Promise<boolean> {
      // Hashed, so that the key is short and no secret is kept.
      const pair = createHash("sha256").update(`${accessKey}:${secret}`).digest("base64");
      const since = lookedUp.get(pair);
      if (since !== undefined && clock.monotonic() - since < REMEMBERED_MS) return true;
      try {
        await flights.run(pair, () => lookUp(accessKey, pair));
        return true;
      } catch {
        // AUTH-2: a failed lookup gives no principal.
        return false;
      }
    },
  };
}
