import type { CallRecord } from "#records/calls";
import { positionIn } from "./spool-position.ts";

export type StartedCall = Omit<CallRecord, "outcome" | "durationUs" | "responseBytes" | "error">;

export interface SpoolMark {
  readonly mark:
    | { readonly kind: "begin"; readonly requestId: string; readonly call: StartedCall | undefined }
    | { readonly kind: "end"; readonly requestId: string; readonly call: CallRecord };
  /** The offset in the segment behind the mark. */
  readonly endsAt: number;
}

type BeginMark = Extract<SpoolMark["mark"], { kind: "begin" }>;

/** Whole lines of a segment. */
export interface SegmentPiece {
  readonly marks: readonly SpoolMark[];
  /** Where reading goes on; unchanged at the end, or before a line that is not whole. */
  readonly nextOffset: number;
  readonly unreadable: number;
  /** True when there may be more in the segment already. */
  readonly more: boolean;
}

/** What the mover needs of the spool's files. */
export interface SpoolFiles {
  /** The spool that this process writes. */
  readonly ownId: string;
  /** Spools whose writer is dead. */
  abandoned(): Promise<string[]>;
  /** Oldest first. */
  segments(spoolId: string): Promise<number[]>;
  /** True when the segment will not grow any more. */
  isSealed(spoolId: string, segment: number): boolean;
  /** True when this process will write no more. */
  isOwnClosed(): boolean;
  read(spoolId: string, segment: number, from: number, maxEnds: number): Promise<SegmentPiece>;
  remove(spoolId: string, segment: number): Promise<void>;
  removeOwner(spoolId: string): Promise<void>;
}

/** A piece that was read but not yet taken. */
export interface Piece extends SegmentPiece {
  readonly segment: number;
  /** Its ends that are not in the database yet. */
  readonly records: readonly CallRecord[];
}

/**
 * Reads one spool from its oldest segment on and knows which calls are open. It always starts at the beginning, not
 * at the stored position: a call may have begun long before what was moved last.
 */
export class SpoolTail {
  readonly spoolId: string;
  readonly #files: SpoolFiles;
  #stored: number;
  #reading: { segment: number; offset: number } | undefined;
  #lastRead = 0;
  /** Segments that are read to their end and still there, oldest first. */
  readonly #readSegments: number[] = [];
  /** In the order in which they began. */
  readonly #open = new Map<string, { readonly segment: number; readonly mark: BeginMark }>();

  constructor(files: SpoolFiles, spoolId: string, stored: number) {
    this.#files = files;
    this.spoolId = spoolId;
    this.#stored = stored;
  }

  /** Where the database stands. */
  get stored(): number {
    return this.#stored;
  }

  get openCalls(): readonly StartedCall[] {
    // A begin that the disk has damaged since tells nothing that could be logged.
    return [...this.#open.values()].flatMap(({ mark: { call } }) => (call ? [call] : []));
  }

  /** Undefined when there is nothing more to read now. What it answers counts only once it was taken. */
  async next(maxEnds: number): Promise<Piece | undefined> {
    for (;;) {
      this.#reading ??= await this.#nextSegment();
      if (!this.#reading) return undefined;
      const { segment, offset } = this.#reading;
      // Asked before reading, so that an end of the file is then its end for good.
      const sealed = this.#files.isSealed(this.spoolId, segment);
      const piece = await this.#files.read(this.spoolId, segment, offset, maxEnds);
      if (piece.nextOffset > offset) {
        const records = this.#unmoved(segment, piece.marks);
        return { ...piece, segment, records, more: piece.more || sealed };
      }
      if (!sealed) return undefined;
      this.#readSegments.push(segment);
      this.#lastRead = segment;
      this.#reading = undefined;
    }
  }

  /** The piece's records are in the database now, which stands at `stored`. */
  take(piece: Piece, stored: number): void {
    this.#stored = stored;
    this.#reading = { segment: piece.segment, offset: piece.nextOffset };
    for (const { mark } of piece.marks) {
      if (mark.kind === "begin") this.#open.set(mark.requestId, { segment: piece.segment, mark });
      else this.#open.delete(mark.requestId);
    }
  }

  /**
   * Removes segments that are done with, strictly oldest first: were a later one gone before an earlier one, an end
   * could be missing to a begin that is still there, and the call would be logged again as interrupted.
   */
  async removeRead(): Promise<void> {
    for (;;) {
      const oldest = this.#readSegments[0];
      const [firstOpen] = this.#open.values();
      if (oldest === undefined || (firstOpen && firstOpen.segment <= oldest)) return;
      await this.#files.remove(this.spoolId, oldest);
      this.#readSegments.shift();
    }
  }

  async #nextSegment(): Promise<{ segment: number; offset: number } | undefined> {
    const segments = await this.#files.segments(this.spoolId);
    const segment = segments.find((candidate) => candidate > this.#lastRead);
    return segment === undefined ? undefined : { segment, offset: 0 };
  }

  #unmoved(segment: number, marks: readonly SpoolMark[]): CallRecord[] {
    const records: CallRecord[] = [];
    for (const { mark, endsAt } of marks) {
      if (mark.kind === "end" && positionIn(segment, endsAt) > this.#stored) records.push(mark.call);
    }
    return records;
  }
}
