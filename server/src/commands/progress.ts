import { type Clock, systemClock } from "#lib/clock";

/** Often enough to look alive at a terminal, and rare enough for a log file. */
const TERMINAL_INTERVAL_MS = 100;
const PLAIN_INTERVAL_MS = 5_000;
const DEFAULT_COLUMNS = 80;

interface ProgressOutput {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/**
 * The messages of a command that can take long. At a terminal, its last line is rewritten while work continues. Elsewhere,
 * every few seconds gets a line.
 */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #clock: Clock;
  #last: number;
  /** The length of the line that will be rewritten. */
  #shown = 0;

  constructor(output: ProgressOutput = process.stderr, clock: Clock = systemClock) {
    this.#output = output;
    this.#clock = clock;
    this.#last = clock.monotonic();
  }

  /** A line that stays. */
  report(line: string): void {
    this.write(`${line}\n`);
  }

  /** The state of the work. Most of these lines are never printed, so that each step can have one. */
  update(line: string): void {
    const { isTTY, columns } = this.#output;
    const now = this.#clock.monotonic();
    if (now - this.#last < (isTTY ? TERMINAL_INTERVAL_MS : PLAIN_INTERVAL_MS)) return;
    if (!isTTY) return this.report(line);
    this.#last = now;
    // A line that wraps cannot be rewritten. Some terminals report 0 columns.
    const text = line.slice(0, (columns || DEFAULT_COLUMNS) - 1);
    this.#output.write(`\r${text.padEnd(this.#shown)}`);
    this.#shown = text.length;
  }

  /** Removes the line that would be rewritten. */
  end(): void {
    // With spaces, because not every terminal has a sequence that clears a line.
    if (this.#shown > 0) this.#output.write(`\r${" ".repeat(this.#shown)}\r`);
    this.#shown = 0;
  }

  /** Whole lines, also those of a log. */
  write(text: string): void {
    this.end();
    this.#last = this.#clock.monotonic();
    this.#output.write(text);
  }
}
