/** The spool's files as the mover sees them: which there are, whose they are, what is in them (GW-21). */
import { mkdir, open, readdir, rm } from "node:fs/promises";
import type { Clock } from "#lib/clock";
import { createOwnerJudge, type ProcessTable, systemProcesses } from "./owner.ts";
import { readSpool, type SpoolMarks } from "./read-spool.ts";
import type { Spool } from "./spool.ts";
import { ownerPath, readFileName, segmentPath } from "./spool-paths.ts";

const PIECE_BYTES = 512 * 1024;

export interface SpoolFilesOptions {
  readonly directory: string;
  readonly clock: Clock;
  /** The spool that this process writes. */
  readonly own: Pick<Spool, "id" | "isSealed" | "isClosed">;
  readonly processes?: ProcessTable;
}

export function createSpoolFiles({ directory, clock, own, processes = systemProcesses }: SpoolFilesOptions) {
  const judge = createOwnerJudge(directory, processes, clock);

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

    /** Spools whose writer is dead: nothing in them will change any more. */
    async abandoned(): Promise<string[]> {
      const spools = [...(await listing()).keys()].sort();
      return spools.filter((spoolId) => spoolId !== own.id && !judge.isAlive(spoolId));
    },

    /** Numbers of the segments that are there, oldest first. */
    async segments(spoolId: string): Promise<number[]> {
      return ((await listing()).get(spoolId) ?? []).sort((one, other) => one - other);
    },

    /** True when the segment will not grow: asked before reading, an end of file after it is the end for good. */
    isSealed(spoolId: string, segment: number): boolean {
      return spoolId !== own.id || own.isSealed(segment);
    },

    isOwnClosed: () => own.isClosed(),

    /** `more` tells that the segment went on behind what was read. */
    async read(
      spoolId: string,
      segment: number,
      from: number,
      maxEnds: number,
    ): Promise<SpoolMarks & { readonly more: boolean }> {
      const file = await open(segmentPath(directory, spoolId, segment), "r");
      try {
        for (let size = PIECE_BYTES; ; size *= 2) {
          const piece = Buffer.allocUnsafe(size);
          const { bytesRead } = await file.read(piece, 0, size, from);
          const found = readSpool(piece.subarray(0, bytesRead), from, maxEnds);
          // A full piece without one whole line: the line is longer than the piece.
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

    /** The owner's file goes last: without it a leftover segment would have no known writer. */
    async removeOwner(spoolId: string): Promise<void> {
      await rm(ownerPath(directory, spoolId), { force: true });
    },
  };
}
