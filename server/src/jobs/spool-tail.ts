import type { CallRecord } from "#records/calls";
import { positionIn } from "./spool-position.ts";

export type StartedCall = Omit<CallRecord, "outcome" | "durationUs" | "responseBytes" | "error">;

export interface SpoolMark {
  readonly mark:
    | { readonly kind: "begin"; readonly requestId: string; readonly call: StartedCall | undefined }
    | { readonly kind: "end"; readonly requestId: string; readonly call: CallRecord };
  /** The offset in the segment after the mark. */
  readonly endsAt: number;
}

type BeginMark = Extract<SpoolMark["mark"], { kind: "begin" }>;

/** Complete lines of a segment. */
export interface SegmentPiece {
  readonly marks: readonly SpoolMark[];
  /** Where to continue reading; unchanged at the end of the segment, or before an incomplete line. */
  readonly nextOffset: number;
  readonly unreadable: number;
  /** Whether the segment may already contain more. */
  readonly more: boolean;
}

/** The operations on spool files that the mover uses. */
export interface SpoolFiles {
  /** The spool that this process writes. */
  readonly ownId: string;
  /** Spools whose writer is dead. */
  abandoned(): Promise<string[]>;
  /** Oldest first. */
  segments(spoolId: string): Promise<number[]>;
  /** Whether the segment is complete. */
  isSealed(spoolId: string, segment: number): boolean;
  /** Whether this process has stopped writing. */
  isOwnClosed(): boolean;
  read(spoolId: string, segment: number, from: number, maxEnds: number): Promise<SegmentPiece>;
  remove(spoolId: string, segment: number): Promise<void>;
  removeOwner(spoolId: string): Promise<void>;
}

/** A piece that was read but not yet committed. */
export interface Piece extends SegmentPiece {
  readonly segment: number;
  /** Records that are not in the database yet. */
  readonly records: readonly CallRecord[];
}

/**
 * Reads a spool from its oldest segment and tracks which calls are open. It always starts at the beginning, not at the
 * stored position, because an open call may have begun long before that position.
 */
export class SpoolTail {
  readonly spoolId: string;
  readonly #files: SpoolFiles;
  #stored: number;
  #reading: { segment: number; offset: number } | undefined;
  #lastRead = 0;
  /** Segments that have been read completely and not removed yet, oldest first. */
  readonly #readSegments: number[] = [];
  /** In the order in which they began. */
  readonly #open = new Map<string, { readonly segment: number; readonly mark: BeginMark }>();

  constructor(files: SpoolFiles, spoolId: string, stored: number) {
    this.#files = files;
    this.spoolId = spoolId;
    this.#stored = stored;
  }

  /** The position that is stored in the database. */
  get stored(): number {
    return this.#stored;
  }

  get openCalls(): readonly StartedCall[] {
    // A begin mark that was damaged on disk has no data to log.
    return [...this.#open.values()].flatMap(({ mark: { call } }) => (call ? [call] : []));
  }

  /** Undefined if there is nothing more to read now. The caller must confirm a piece with `take`. */
  async next(maxEnds: number): Promise<Piece | undefined> {
    for (;;) {
      this.#reading ??= await this.#nextSegment();
      if (!this.#reading) return undefined;
      const { segment, offset } = this.#reading;
      // Checked before reading, so that the end of a sealed file is final.
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

  /** The piece's records are in the database, at the position `stored`. */
  take(piece: Piece, stored: number): void {
    this.#stored = stored;
    this.#reading = { segment: piece.segment, offset: piece.nextOffset };
    for (const { mark } of piece.marks) {
      if (mark.kind === "begin") this.#open.set(mark.requestId, { segment: piece.segment, mark });
      else this.#open.delete(mark.requestId);
    }
  }

  /**
   * Removes finished segments strictly oldest first. Otherwise the record of a call could be removed before its begin
   * mark, and the call would be logged again as interrupted.
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
