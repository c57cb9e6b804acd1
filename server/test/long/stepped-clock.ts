/** Loaded into a service with `--import`: its wall clock differs from the real one by the seconds in CLOCK_OFFSET_FILE. */
import { readFileSync } from "node:fs";

const READ_EVERY_MS = 200;
const file = process.env.CLOCK_OFFSET_FILE;
const RealDate = Date;
let offsetMs = 0;

function readOffset(): void {
  if (file === undefined) return;
  try {
    offsetMs = Number(readFileSync(file, "utf8")) * 1_000 || 0;
  } catch {
    // The test has ended and removed the file.
  }
}

class SteppedDate extends RealDate {
  constructor(...args: ConstructorParameters<DateConstructor> | []) {
    if (args.length === 0) super(SteppedDate.now());
    else super(...args);
  }

  static override now(): number {
    return RealDate.now() + offsetMs;
  }
}

readOffset();
// `performance.now()` and timers are monotonic and keep the real time.
setInterval(readOffset, READ_EVERY_MS).unref();
globalThis.Date = SteppedDate as DateConstructor;
