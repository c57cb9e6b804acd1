/** Lists and reads the spool files for the job that moves calls into the database (GW-21). */
import { mkdir, open, readdir, rm } from "node:fs/promises";
import type { Clock } from "#lib/clock";
import { createOwnerMonitor, type ProcessTable, systemProcesses } from "./owner.ts";
import { readSpool, type SpoolMarks } from "./read-spool.ts";
import type { Spool } from "./spool.ts";
import { ownerPath, readFileName, segmentPath } from "./spool-paths.ts";

const CHUNK_BYTES = 512 * 1024;

export interface SpoolFilesOptions {
  readonly directory: string;
  readonly clock: Clock;
  /** The spool that this process writes. */
  readonly own: Pick<Spool, "id" | "isSealed" | "isClosed">;
  readonly processes?: ProcessTable;
}

export function createSpoolFiles({ directory, clock, own, processes = systemProcesses }: SpoolFilesOptions) {
  const monitor = createOwnerMonitor(directory, processes, clock);

  async function listing(): Promise<Map<string, number[]>> {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    const spools = new Map<string, number[]>();
    for (const name of await readdir(directory)) {
      const file = readFileName(name);
      if (!file) continue;
      const segments = spools.get(file.spoolId) ?? [];
      if (file.segment !== undefined) segments.push(file.segment);
      spools.set(file.spoolId, segments);
    }
    return spools;
  }

  return {
    ownId: own.id,

    /** Spools whose writer is dead, so their files no longer change. */
    async abandoned(): Promise<string[]> {
      const spools = [...(await listing()).keys()].sort();
      return spools.filter((spoolId) => spoolId !== own.id && !monitor.isAlive(spoolId));
    },

    /** Numbers of the existing segments, oldest first. */
    async segments(spoolId: string): Promise<number[]> {
      return ((await listing()).get(spoolId) ?? []).sort((one, other) => one - other);
    },

    /** True when the segment will not grow. If checked before reading, an end of file reached afterwards is final. */
    isSealed(spoolId: string, segment: number): boolean {
      return spoolId !== own.id || own.isSealed(segment);
    },

    isOwnClosed: () => own.isClosed(),

    /** `more` is true when the segment continues after the returned marks. */
    async read(
      spoolId: string,
      segment: number,
      from: number,
      maxEnds: number,
    ): Promise<SpoolMarks & { readonly more: boolean }> {
      const file = await open(segmentPath(directory, spoolId, segment), "r");
      try {
        for (let size = CHUNK_BYTES; ; size *= 2) {
          const chunk = Buffer.allocUnsafe(size);
          const { bytesRead } = await file.read(chunk, 0, size, from);
          const found = readSpool(chunk.subarray(0, bytesRead), from, maxEnds);
          // A full chunk without a complete line means that the line is longer than the chunk.
          if (found.nextOffset > from || bytesRead < size) {
            return {
              ...found,
              more: found.nextOffset > from && (bytesRead === size || found.nextOffset < from + bytesRead),
            };
          }
        }
      } finally {
        await file.close();
      }
    },

    async remove(spoolId: string, segment: number): Promise<void> {
      await rm(segmentPath(directory, spoolId, segment), { force: true });
    },

    /** Call this last: without its owner file, a leftover segment has no known writer. */
    async removeOwner(spoolId: string): Promise<void> {
      await rm(ownerPath(directory, spoolId), { force: true });
    },
  };
}
