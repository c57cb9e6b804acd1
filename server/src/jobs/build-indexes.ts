import type { Databases } from "#storage/database";
import { buildDeferredIndexes } from "#storage/deferred-indexes";
import type { Job } from "./runner.ts";

/** Builds the indexes of large tables after an upgrade. Afterwards a run only finds that they exist. */
export function buildIndexesJob(databases: Databases): Job {
  const canceled = new AbortController();
  return {
    name: "build-indexes",
    everyMs: 60 * 60 * 1000,
    atStart: true,
    oncePerOrganization: true,
    run: () => buildDeferredIndexes(databases, canceled.signal),
    cancel: () => canceled.abort(),
  };
}
