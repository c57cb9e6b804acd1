import { countEarlierCalls } from "#records/calls";
import type { CallsDb } from "#storage/database";
import type { Job } from "./runner.ts";

/** No slice keeps the mover waiting for long, and the end of the process does not wait for all of them. */
const PACE = { rowsPerSlice: 1_000, slicesPerTurn: 100 };

/** Counts what an earlier release brought into the log, slice by slice; killed at any point, it goes on where it was. */
export function rollUpCallsJob(db: CallsDb, { rowsPerSlice, slicesPerTurn } = PACE): Job {
  return {
    name: "roll-up-calls",
    everyMs: 60 * 1000,
    atStart: true,
    oncePerOrganization: true,
    async run() {
      for (let slice = 0; slice < slicesPerTurn; slice++) {
        if (!(await countEarlierCalls(db, rowsPerSlice))) return;
      }
    },
  };
}
