import type { Clock } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { ApprovalRecords, ApprovalState } from "../../ports.ts";

export type Decided = "approved" | Exclude<ApprovalState, { kind: "used" }>;

export interface WaitingCall {
  /** Memory that the call holds while it waits. */
  readonly bytes: number;
  decided(state: Decided): void;
  /** The process stops. */
  giveUp(): void;
}

interface ApprovalWaitsNeeds {
  readonly records: Pick<ApprovalRecords, "decided">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Further calls are answered without waiting. */
const MAX_CALLS = 1_000;
const MAX_BYTES = 32 * 1024 * 1024;
const RETRY_MS = 2_000;

/**
 * The calls of this process that wait for an approval. Decisions arrive as changes of records, like everything that other
 * processes write, so that no call has to poll.
 */
export class ApprovalWaits {
  readonly #needs: ApprovalWaitsNeeds;
  /** By the approval's ID. Identical calls wait for the same one. */
  readonly #waiting = new Map<string, Set<WaitingCall>>();
  #calls = 0;
  #bytes = 0;
  #isClosed = false;

  constructor(needs: ApprovalWaitsNeeds) {
    this.#needs = needs;
  }

  /** Until the returned function is called. Undefined if the call cannot wait here. */
  add(id: string, call: WaitingCall): (() => void) | undefined {
    if (this.#isClosed || this.#calls >= MAX_CALLS || this.#bytes + call.bytes > MAX_BYTES) return undefined;
    const calls = this.#waiting.get(id) ?? new Set();
    this.#waiting.set(id, calls.add(call));
    this.#calls++;
    this.#bytes += call.bytes;
    // The decision may have been made before the call waited.
    void this.#look([id]);
    return () => {
      if (!calls.delete(call)) return;
      this.#calls--;
      this.#bytes -= call.bytes;
      if (calls.size === 0 && this.#waiting.get(id) === calls) this.#waiting.delete(id);
    };
  }

  /** Approvals that were decided; undefined: any may be. */
  changed(ids: ReadonlySet<string> | undefined): void {
    if (this.#calls === 0) return;
    const here = [...this.#waiting.keys()].filter((id) => ids?.has(id) ?? true);
    if (here.length > 0) void this.#look(here);
  }

  close(): void {
    this.#isClosed = true;
    for (const calls of [...this.#waiting.values()]) for (const call of [...calls]) call.giveUp();
  }

  async #look(ids: readonly string[]): Promise<void> {
    const { records, clock, logger } = this.#needs;
    try {
      for (const [id, state] of await records.decided(ids)) {
        for (const call of [...(this.#waiting.get(id) ?? [])]) call.decided(state);
      }
    } catch (error) {
      logger.warn({ err: error }, "decisions about held calls could not be read");
      const left = ids.filter((id) => this.#waiting.has(id));
      if (left.length > 0) clock.after(RETRY_MS, () => void this.#look(left));
    }
  }
}
