import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";

const MAX_PER_MINUTE = 100;
const MINUTE_MS = 60_000;

/** Logs the output of a local server that is not MCP, with a limit so that it cannot fill the disk. */
export class LoggedLines {
  static readonly MAX_LENGTH = 2000;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #since = Number.NEGATIVE_INFINITY;
  #count = 0;

  constructor(clock: Clock, logger: Logger) {
    this.#clock = clock;
    this.#logger = logger;
  }

  line(from: "stdout" | "stderr", text: Buffer): void {
    const now = this.#clock.monotonic();
    if (now - this.#since > MINUTE_MS) {
      this.#since = now;
      this.#count = 0;
    }
    this.#count++;
    if (this.#count > MAX_PER_MINUTE) return;
    const line = text.toString("utf8", 0, LoggedLines.MAX_LENGTH);
    this.#logger.info({ from, line }, "output of a local server");
    if (this.#count === MAX_PER_MINUTE)
      this.#logger.warn("a local server writes more lines than are logged per minute");
  }
}
