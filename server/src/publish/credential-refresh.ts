import type { Clock } from "#lib/clock";
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
 * Another replica may have made a key a moment ago: before such a key is refused, the database is asked once. Single
 * flight, bounded, and a key that was looked up in vain is not looked up again for a while, so that invented keys cost
 * next to nothing.
 */
export function createCredentialRefresh({ db, clock, publisher }: CredentialRefreshNeeds) {
  const flights = new SingleFlight<void>();
  const inVain = new Map<string, number>();
  let underWay = 0;

  const lookUp = async (accessKey: string): Promise<void> => {
    if (underWay >= MOST_AT_ONCE) return;
    underWay++;
    try {
      await compare(accessKey);
    } finally {
      underWay--;
    }
  };
  const compare = async (accessKey: string): Promise<void> => {
    if (await accessKeyExists(db, accessKey)) return publisher.catchUp();
    inVain.delete(accessKey);
    inVain.set(accessKey, clock.monotonic());
    for (const oldest of inVain.keys()) {
      if (inVain.size <= MOST_REMEMBERED) break;
      inVain.delete(oldest);
    }
  };

  return {
    async refresh(accessKey: string): Promise<void> {
      const since = inVain.get(accessKey);
      if (since !== undefined && clock.monotonic() - since < REMEMBERED_MS) return;
      try {
        await flights.run(accessKey, () => lookUp(accessKey));
      } catch {
        // AUTH-2: a look that fails finds no principal; the request ends in 401.
      }
    },
  };
}
