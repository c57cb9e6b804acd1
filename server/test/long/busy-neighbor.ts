/**
 * A process that uses idle processor time and new memory, and never calls the service. It shows what sharing the machine
 * costs: with two processors, it alone can double the 99th percentile of calls.
 */
import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const TURN_MS = 20;

export class BusyNeighbor {
  readonly #child;

  /** `share` of one processor, between 0 and 1. */
  constructor(share: number) {
    const program = [process.execPath, fileURLToPath(import.meta.url), String(share)];
    this.#child = spawn("chrt", ["--idle", "0", ...program], { stdio: "ignore" });
    this.#child.kill("SIGSTOP");
  }

  async during<Result>(run: () => Promise<Result>): Promise<Result> {
    this.#child.kill("SIGCONT");
    try {
      return await run();
    } finally {
      this.#child.kill("SIGSTOP");
    }
  }

  stop(): void {
    this.#child.kill("SIGKILL");
  }
}

if (import.meta.main) {
  const share = Number(process.argv[2]);
  const source = Buffer.alloc(1 << 20, "x");
  for (;;) {
    const startedAt = performance.now();
    while (performance.now() - startedAt < TURN_MS * share) Buffer.from(source);
    await sleep(TURN_MS * (1 - share));
  }
}
