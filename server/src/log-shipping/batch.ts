import type { CallOutcome } from "#lib/call-vocabulary";
import type { CursorSource, LogCursorRow } from "#storage/log-destination-tables";
import { type LogRecord, type RecordReaderNeeds, readRecords } from "./records.ts";

export interface BatchLimits {
  readonly maxRecords: number;
  /** Of the JSON lines, before compression. A single record can be larger. */
  readonly maxBytes: number;
}

export interface Batch {
  readonly source: CursorSource | "test";
  /** The cursor after this batch. */
  readonly end: number;
  readonly records: readonly LogRecord[];
  /** One line per record, each with its line break. */
  readonly lines: readonly string[];
  /** Records that retention deleted before they were shipped. */
  readonly lost: number;
  /** Whether more records wait. */
  readonly isFull: boolean;
}

/** Records that are read and serialized before other work gets a turn. */
const RECORDS_PER_SLICE = 250;
/** Checkpoints are rare, with gaps between their numbers. */
const CHECKPOINT_NUMBERS_PER_SLICE = 100_000;
/** Slices per batch, so that the cursor also moves if a filter leaves out all records. */
const SLICES_PER_BATCH = 80;

interface BatchNeeds extends RecordReaderNeeds {
  /** Yields to the calls at the gateway. */
  nextTurn(): Promise<void>;
}

interface Wanted extends BatchLimits {
  readonly outcomes: readonly CallOutcome[] | null;
}

/** Reads the next records after the cursor, up to `newest`, in slices. */
export async function collectBatch(
  needs: BatchNeeds,
  { source, position, furthest }: Pick<LogCursorRow, "source" | "position" | "furthest">,
  newest: number,
  wanted: Wanted,
): Promise<Batch> {
  const step = source === "checkpoints" ? CHECKPOINT_NUMBERS_PER_SLICE : RECORDS_PER_SLICE;
  // Numbers up to here were shipped before a rewind, or never had to be.
  const known = Math.max(position, furthest);
  const filled = new FilledBatch(wanted, known);
  let end = position;
  for (let slices = 0; end < newest && slices < SLICES_PER_BATCH; slices++) {
    const last = Math.min(newest, end + step);
    const rest = filled.add(await readRecords(needs, source, end, last));
    end = rest ? rest.position - 1 : last;
    if (rest) break;
    await needs.nextTurn();
  }
  const { records, lines, found } = filled;
  // Checkpoints have gaps between their numbers.
  const lost = source === "checkpoints" ? 0 : Math.max(0, end - known - found);
  return { source, end, records, lines, lost, isFull: end < newest };
}

class FilledBatch {
  readonly records: LogRecord[] = [];
  readonly lines: string[] = [];
  /** Records with higher numbers than the known ones. */
  found = 0;
  readonly #wanted: Wanted;
  readonly #known: number;
  #bytes = 0;

  constructor(wanted: Wanted, known: number) {
    this.#wanted = wanted;
    this.#known = known;
  }

  /** Returns the first record that does not fit. */
  add(slice: readonly LogRecord[]): LogRecord | undefined {
    const { maxRecords, maxBytes, outcomes } = this.#wanted;
    for (const record of slice) {
      if (!isLeftOut(record, outcomes)) {
        const line = `${JSON.stringify(record.body)}\n`;
        const bytes = this.#bytes + Buffer.byteLength(line);
        if (this.records.length >= maxRecords || (this.records.length > 0 && bytes > maxBytes)) return record;
        this.records.push(record);
        this.lines.push(line);
        this.#bytes = bytes;
      }
      if (record.position > this.#known) this.found++;
    }
    return undefined;
  }
}

function isLeftOut({ outcome }: LogRecord, outcomes: readonly CallOutcome[] | null): boolean {
  return outcomes !== null && outcome !== undefined && !outcomes.includes(outcome);
}
