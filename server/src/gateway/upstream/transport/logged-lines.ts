import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";

const MOST_A_MINUTE = 100;
const MINUTE_MS = 60_000;

/** What a local server says beside the protocol, in our log: bounded, so that a talkative one cannot fill a disk. */
export class LoggedLines {
  static readonly LONGEST = 2000;
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
    if (this.#count > MOST_A_MINUTE) return;
    const line = text.toString("utf8", 0, LoggedLines.LONGEST);
    this.#logger.info({ from, line }, "a local server says");
    if (this.#count === MOST_A_MINUTE) this.#logger.warn("a local server says more than is logged in a minute");
  }
}
