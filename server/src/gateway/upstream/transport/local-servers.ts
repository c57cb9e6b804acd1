/**
 * The operator's local servers: one process each, started on first use, shared by all callers, and stopped when unused. A
 * server that exits is started again by the next call, with a growing delay after failures.
 */
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import type { ReadPacer } from "#lib/read-pacer";
import { SingleFlight } from "#lib/single-flight";
import { UpstreamFault } from "../failure.ts";
import { initializeChannel } from "../handshake/channel-handshake.ts";
import { Channel } from "./channel.ts";
import { LocalProcess, type LocalServer } from "./local-process.ts";

export type { LocalServer } from "./local-process.ts";

export interface LocalServersOptions {
  readonly servers: readonly LocalServer[];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly environment: Readonly<Record<string, string>>;
  readonly pacer: ReadPacer;
}

interface FailedStarts {
  failures: number;
  notBefore: number;
}

const SCHEME = "stdio:";
const IDLE_MS = 10 * 60_000;
const SWEEP_MS = 30_000;
/** Long, because package runners may have to download the server first. */
const HANDSHAKE_MS = 60_000;
const FIRST_WAIT_MS = 1000;
const MAX_WAIT_MS = 60_000;
const STEADY_MS = 60_000;
const LIMITS = { idleMs: 60_000, maxBytes: 16 << 20 };

/** The URL of a local server in its record. */
export function localUrl(slug: string): string {
  return `${SCHEME}${slug}`;
}

export class LocalServers {
  readonly #options: LocalServersOptions;
  readonly #servers: ReadonlyMap<string, LocalServer>;
  readonly #running = new Map<string, Channel>();
  readonly #processes = new Map<string, LocalProcess>();
  readonly #failedStarts = new Map<string, FailedStarts>();
  readonly #starting = new SingleFlight<Channel>();
  #timer: Timer | undefined;
  #closed = false;
  #lastId = 0;

  constructor(options: LocalServersOptions) {
    this.#options = options;
    this.#servers = new Map(options.servers.map((server) => [localUrl(server.slug), server]));
  }

  /** For requests of the gateway itself. They count down, because calls on the same channel count up. */
  readonly nextId = (): number => --this.#lastId;

  /** Starts the server if necessary. Rejects with UpstreamFault. */
  async open(url: string): Promise<Channel> {
    const server = this.#servers.get(url);
    if (this.#closed) throw notSent("cancelled", "did not respond: the gateway is shutting down");
    if (!server) throw notSent("unreachable", "is not in the LOCAL_SERVERS_FILE of this process");
    const running = this.#running.get(url);
    return running?.isOpen ? running : this.#starting.run(url, () => this.#start(url, server));
  }

  /** Number of processes. */
  get size(): number {
    return this.#processes.size;
  }

  /** Starts no more servers, and stops those without a finished handshake, so that a shutdown does not wait for them. */
  stopStarting(): void {
    this.#closed = true;
    for (const [url, process] of this.#processes) if (!this.#running.has(url)) process.close();
  }

  /** Resolves when every process is gone. */
  async close(): Promise<void> {
    this.stopStarting();
    this.#timer?.cancel();
    const processes = [...this.#processes.values()];
    for (const process of processes) process.close();
    await Promise.all(processes.map((process) => process.gone));
  }

  async #start(url: string, server: LocalServer): Promise<Channel> {
    const { clock, logger, environment, pacer } = this.#options;
    const failed = this.#failedStarts.get(url);
    const wait = failed ? failed.notBefore - clock.monotonic() : 0;
    // The previous process may still be exiting: there is never more than one.
    await this.#processes.get(url)?.gone;
    // Not a new failure: the server is expected back.
    if (wait > 0)
      throw notSent("busy", `is restarting after a failure; retries in ${Math.ceil(wait / 1000)} s at the earliest`);
    const channel = new Channel({ clock, logger, lane: pacer.lane(), idleMs: LIMITS.idleMs });
    const process = new LocalProcess(server, channel, { clock, logger, environment, maxBytes: LIMITS.maxBytes });
    this.#processes.set(url, process);
    channel.attach(process);
    logger.info({ server: server.slug, pid: process.pid }, "started a local server");
    const startedAt = clock.monotonic();
    void process.gone.then(() => {
      this.#processes.delete(url);
      logger.info({ server: server.slug, pid: process.pid }, "a local server exited");
    });
    channel.onEnd = () => this.#ended(url, channel, clock.monotonic() - startedAt > STEADY_MS);
    try {
      await initializeChannel(channel, { clock, nextId: this.nextId }, HANDSHAKE_MS);
      this.#running.set(url, channel);
      this.#timer ??= clock.after(SWEEP_MS, () => this.#sweep());
      return channel;
    } catch (error) {
      channel.close();
      throw error;
    }
  }

  #ended(url: string, channel: Channel, steady: boolean): void {
    if (this.#running.get(url) === channel) this.#running.delete(url);
    if (steady) return void this.#failedStarts.delete(url);
    const failures = (this.#failedStarts.get(url)?.failures ?? 0) + 1;
    const wait = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), MAX_WAIT_MS);
    this.#failedStarts.set(url, { failures, notBefore: this.#options.clock.monotonic() + wait });
  }

  #sweep(): void {
    const { clock } = this.#options;
    const limit = clock.monotonic() - IDLE_MS;
    for (const channel of this.#running.values()) {
      if (channel.inFlight === 0 && !channel.hasListeners && channel.usedAt < limit) channel.close();
    }
    this.#timer = this.#running.size === 0 ? undefined : clock.after(SWEEP_MS, () => this.#sweep());
  }
}

function notSent(kind: "busy" | "unreachable" | "cancelled", message: string): UpstreamFault {
  return new UpstreamFault(kind, message, { nothingSent: true });
}
