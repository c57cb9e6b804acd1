import { type Mark, parseLine } from "./line.ts";

export interface PlacedMark {
  readonly mark: Mark;
  /** Offset in the segment, behind the mark's line. */
  readonly endsAt: number;
}

export interface SpoolMarks {
  readonly marks: readonly PlacedMark[];
  /** Where reading goes on: always the start of a line. */
  readonly nextOffset: number;
  /** Whole lines that are no marks: the disk damaged them, or a newer release wrote them. */
  readonly unreadable: number;
}

const LINE_BREAK = 10;

/**
 * The marks in a piece of a segment; `offset` is where the piece lies in it, at the start of a line. Stops after
 * `maxEnds` ends, and before a line without its line break: that one is still being written, or was torn by a kill.
 */
export function readSpool(bytes: Buffer, offset: number, maxEnds: number): SpoolMarks {
  const marks: PlacedMark[] = [];
  let ends = 0;
  let unreadable = 0;
  let start = 0;
  while (ends < maxEnds) {
    const lineBreak = bytes.indexOf(LINE_BREAK, start);
    if (lineBreak < 0) break;
    const mark = parseLine(bytes.toString("utf8", start, lineBreak));
    start = lineBreak + 1;
    if (!mark) unreadable++;
    else {
      marks.push({ mark, endsAt: offset + start });
      if (mark.kind === "end") ends++;
    }
  }
  return { marks, nextOffset: offset + start, unreadable };
}
