import type { Clock } from "#lib/clock";
import type { ServerLimits } from "../snapshot/limits.ts";
import type { ServerEntry } from "../snapshot/shape.ts";
import { Bulkhead } from "./bulkhead.ts";

export interface BulkheadsOptions {
  readonly clock: Clock;
  readonly maxAnswerBytes: number;
  /** What holds where a server has no limit of its own. */
  readonly limits: () => ServerLimits;
}

/** One bulkhead per server, made on first use. */
export class Bulkheads {
  readonly #options: BulkheadsOptions;
  readonly #byServer = new Map<string, Bulkhead>();

  constructor(options: BulkheadsOptions) {
    this.#options = options;
  }

  of(server: ServerEntry): Bulkhead {
    const bulkhead = this.#byServer.get(server.id) ?? this.#make(server.id);
    bulkhead.obey(this.#options.limits(), server);
    return bulkhead;
  }

  sweep(now: number): void {
    for (const [serverId, bulkhead] of this.#byServer) {
      if (bulkhead.isIdle) this.#byServer.delete(serverId);
      else bulkhead.sweep(now);
    }
  }

  #make(serverId: string): Bulkhead {
    const { clock, maxAnswerBytes } = this.#options;
    const bulkhead = new Bulkhead(clock, maxAnswerBytes);
    this.#byServer.set(serverId, bulkhead);
    return bulkhead;
  }
}
