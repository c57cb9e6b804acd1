import { createHash } from "node:crypto";
import type { Clock } from "#lib/clock";
import { evictOldest } from "#lib/evict-oldest";
import { SingleFlight } from "#lib/single-flight";
import { accessKeyExists } from "#records/credentials";
import type { MainDb } from "#storage/database";
import type { Publisher } from "./publisher.ts";

const REMEMBERED_MS = 10_000;
const MOST_REMEMBERED = 10_000;
const MOST_AT_ONCE = 8;

export interface CredentialRefreshNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly publisher: Publisher;
}

/**
 * Another replica may have made a key or rotated its secret a moment ago: before such a pair is refused, the database is
 * asked once. Single flight, bounded, and a pair that was looked up is not looked up again for a while, so that invented
 * and outdated ones cost next to nothing.
 */
export function createCredentialRefresh({ db, clock, publisher }: CredentialRefreshNeeds) {
  const flights = new SingleFlight<void>();
  /** When a pair was last looked up. Whatever that brought is in the snapshot: whoever asks again asks in vain. */
  const lookedUp = new Map<string, number>();
  let underWay = 0;

  const lookUp = async (accessKey: string, pair: string): Promise<void> => {
    if (underWay >= MOST_AT_ONCE) return;
    underWay++;
    try {
      if (await accessKeyExists(db, accessKey)) await publisher.catchUp();
      remember(pair);
    } finally {
      underWay--;
    }
  };
  const remember = (pair: string): void => {
    lookedUp.delete(pair);
    lookedUp.set(pair, clock.monotonic());
    evictOldest(lookedUp, MOST_REMEMBERED);
  };

  return {
    async refresh(accessKey: string, secret: string): Promise<void> {
      // Hashed: short however long the header was, and no secret is kept.
      const pair = createHash("sha256").update(`${accessKey}:${secret}`).digest("base64");
      const since = lookedUp.get(pair);
      if (since !== undefined && clock.monotonic() - since < REMEMBERED_MS) return;
      try {
        await flights.run(pair, () => lookUp(accessKey, pair));
      } catch {
        // AUTH-2: a look that fails finds no principal; the request ends in 401.
      }
    },
  };
}
