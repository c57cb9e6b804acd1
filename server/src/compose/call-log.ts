/** What a call leaves behind: its marks in the spool, its record in the database, and what it carried where that is kept. */
import { join } from "node:path";
import { createSpool } from "#gateway/call-log/spool";
import { createSpoolFiles } from "#gateway/call-log/spool-files";
import { CallMeter } from "#gateway/call-meter";
import { PayloadKeeper } from "#jobs/keep-payloads";
import { createCallMover } from "#jobs/move-calls";
import type { Clock } from "#lib/clock";
import type { NewId } from "#lib/ids";
import type { Logger } from "#lib/logger";
import type { CallsDb } from "#storage/database";
import type { Vault } from "#storage/vault";

export interface CallLogNeeds {
  readonly dataDir: string;
  readonly db: CallsDb;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly logger: Logger;
}

const CATCH_UP_MS = 1_000;

export function createCallLog({ dataDir, db, vault, clock, newId, logger }: CallLogNeeds) {
  const directory = join(dataDir, "spool");
  const spool = createSpool({ directory, clock, newId, logger });
  const files = createSpoolFiles({ directory, clock, own: spool });
  const mover = createCallMover({ files, db, clock, logger });
  const payloads = new PayloadKeeper({ db, vault, clock, logger });
  return {
    spool,
    mover,
    payloads,
    calls: new CallMeter(spool),
    /** Waits until calls that were answered before now can be read. */
    async callsStored(): Promise<void> {
      await Promise.all([mover.catchUp(CATCH_UP_MS), payloads.stored()]);
    },
    /** When nothing is logged any more. */
    async closeCallLog(): Promise<void> {
      spool.close();
      await mover.stop();
      await payloads.stored();
    },
  };
}
