import { countEarlierCalls, countEarlierDay } from "#records/calls";
import type { CallsDb } from "#storage/database";
import type { Job } from "./runner.ts";

/** Small slices, so that neither the call mover nor a shutdown waits long. */
const PACE = { rowsPerSlice: 1_000, slicesPerTurn: 100 };

/** Counts calls that an earlier release stored without statistics. Works in slices and can be resumed at any point. */
export function rollUpCallsJob(db: CallsDb, { rowsPerSlice, slicesPerTurn } = PACE): Job {
  return {
    name: "roll-up-calls",
    everyMs: 60 * 1000,
    atStart: true,
    oncePerOrganization: true,
    async run() {
      for (let slice = 0; slice < slicesPerTurn; slice++) {
        if (!(await countEarlierCalls(db, rowsPerSlice))) break;
      }
      for (let day = 0; day < slicesPerTurn; day++) {
        if (!(await countEarlierDay(db))) return;
      }
    },
  };
}
