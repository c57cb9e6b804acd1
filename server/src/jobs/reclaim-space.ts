import type { Databases } from "#storage/database";
import type { Job } from "./runner.ts";

/** 400 MB per run. */
const SLICES_PER_TURN = 50;

/** Shrinks SQLite files after retention has deleted rows. Postgres reuses the space itself. */
export function reclaimSpaceJob(databases: Databases): Job {
  return {
    name: "reclaim-space",
    everyMs: 10 * 60 * 1000,
    oncePerOrganization: true,
    async run() {
      for (let slice = 0; slice < SLICES_PER_TURN; slice++) {
        if (!(await databases.reclaimSpace())) return;
      }
    },
  };
}
