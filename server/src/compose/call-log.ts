/** The call log: marks in the spool, records in the database, and payloads if they are captured. */
import { join } from "node:path";
import { createSpool } from "#gateway/call-log/spool";
import { createSpoolFiles } from "#gateway/call-log/spool-files";
import { CallMeter } from "#gateway/call-meter";
import { createCallMover } from "#jobs/move-calls";
import { PayloadWriter } from "#jobs/store-payloads";
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
  const payloads = new PayloadWriter({ db, vault, clock, logger });
  return {
    spool,
    mover,
    payloads,
    calls: new CallMeter(spool),
    /** Waits until all calls answered so far can be read. */
    async callsStored(): Promise<void> {
      await Promise.all([mover.catchUp(CATCH_UP_MS), payloads.flush()]);
    },
    /** Call this when nothing is logged anymore. */
    async closeCallLog(): Promise<void> {
      spool.close();
      await mover.stop();
      await payloads.flush();
    },
  };
}
