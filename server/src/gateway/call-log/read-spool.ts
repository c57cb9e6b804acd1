import { type Mark, parseLine } from "./line.ts";

export interface PositionedMark {
  readonly mark: Mark;
  /** Offset in the segment just after the mark's line. */
  readonly endsAt: number;
}

export interface SpoolMarks {
  readonly marks: readonly PositionedMark[];
  /** Offset to resume at; always the start of a line. */
  readonly nextOffset: number;
  /** Complete lines that cannot be parsed because they are damaged or written by a newer release. */
  readonly unreadable: number;
}

const LINE_BREAK = 10;

/**
 * Reads the marks in part of a segment; `offset` is the position of `bytes` in it, at the start of a line. Stops after
 * `maxEnds` end marks, and before a line without a line break, which is still being written or was truncated by a kill.
 */
export function readSpool(bytes: Buffer, offset: number, maxEnds: number): SpoolMarks {
  const marks: PositionedMark[] = [];
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
