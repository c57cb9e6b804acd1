import type { Clock } from "#lib/clock";
import type { ReadPacer } from "#lib/read-pacer";
import type { ServerLimits } from "../../snapshot/limits.ts";
import type { ServerEntry } from "../../snapshot/shape.ts";
import { Bulkhead } from "./bulkhead.ts";
import { UpstreamMeters } from "./upstream-meter.ts";

export interface BulkheadsOptions {
  readonly clock: Clock;
  readonly pacer: ReadPacer;
  readonly maxAnswerBytes: number;
  /** The limits of servers without their own. */
  readonly limits: () => ServerLimits;
}

/** One bulkhead per server, created on first use. */
export class Bulkheads {
  readonly meters = new UpstreamMeters();
  readonly #options: BulkheadsOptions;
  readonly #byServer = new Map<string, Bulkhead>();

  constructor(options: BulkheadsOptions) {
    this.#options = options;
  }

  of(server: ServerEntry): Bulkhead {
    const bulkhead = this.#byServer.get(server.id) ?? this.#make(server);
    bulkhead.update(this.#options.limits(), server);
    return bulkhead;
  }

  /** Of the servers in use, by their name in metrics. */
  load(): Map<string, { inside: number; waiting: number; paused: number }> {
    const load = new Map<string, { inside: number; waiting: number; paused: number }>();
    for (const { load: each } of this.#byServer.values()) {
      const { inside, waiting, paused } = load.get(each.server) ?? { inside: 0, waiting: 0, paused: 0 };
      const sum = { inside: inside + each.inside, waiting: waiting + each.waiting, paused: paused + each.paused };
      load.set(each.server, sum);
    }
    return load;
  }

  sweep(now: number): void {
    for (const [serverId, bulkhead] of this.#byServer) {
      if (bulkhead.isIdle) this.#byServer.delete(serverId);
      else bulkhead.sweep(now);
    }
  }

  #make({ id, slug }: ServerEntry): Bulkhead {
    const { clock, maxAnswerBytes, pacer } = this.#options;
    const bulkhead = new Bulkhead(clock, maxAnswerBytes, pacer.lane(), this.meters.of(slug));
    this.#byServer.set(id, bulkhead);
    return bulkhead;
  }
}
