/**
 * Tracks which other processes serve the same organization. Each writes a heartbeat twice a second; a process without a
 * new one for several of our turns is considered gone, whatever the clocks say. A wrong decision only costs some
 * requests.
 */

import type { Replicas } from "#gateway/session-ports";
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { forgetProcess, lastHeartbeats, recordHeartbeat } from "#records/leases";
import type { MainDb } from "#storage/database";

export interface ReplicaMonitorOptions {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Identifies this process. */
  readonly id: string;
  /** Called when another process is gone. */
  readonly left: () => void;
}

const HEARTBEAT_MS = 500;
/** Counted in turns instead of time: after a pause of this process, newer heartbeats of the others exist too. */
const GONE_AFTER_TURNS = 3;
const DELETE_AFTER_TURNS = 120;

interface SeenProcess {
  readonly heartbeat: number;
  /** Turns without a newer heartbeat. */
  silentTurns: number;
  /** Whether `left` was called for it. A turn in which the database fails must not skip that. */
  isReported: boolean;
}

export class ReplicaMonitor implements Replicas {
  readonly #options: ReplicaMonitorOptions;
  readonly #seen = new Map<string, SeenProcess>();
  #timer: Timer | undefined;
  #turn: Promise<void> | undefined;
  #stopped = false;

  constructor(options: ReplicaMonitorOptions) {
    this.#options = options;
  }

  get id(): string {
    return this.#options.id;
  }

  /** Call before serving, so that the other processes know about this one. */
  async start(): Promise<void> {
    await this.turn();
    this.#scheduleTurn();
  }

  /** Includes processes seen in the last minute, because one that hangs may recover. */
  others(): boolean {
    return this.#seen.size > 0;
  }

  has(id: string): boolean {
    return (this.#seen.get(id)?.silentTurns ?? GONE_AFTER_TURNS) < GONE_AFTER_TURNS;
  }

  async look(): Promise<boolean> {
    const heartbeats = await lastHeartbeats(this.#options.db);
    heartbeats.delete(this.#options.id);
    const stopped = [...this.#seen].filter(([other]) => !heartbeats.has(other));
    for (const [other] of stopped) this.#seen.delete(other);
    for (const [other, heartbeat] of heartbeats)
      if (this.#seen.get(other)?.heartbeat !== heartbeat)
        this.#seen.set(other, { heartbeat, silentTurns: 0, isReported: false });
    if (stopped.some(([, { isReported }]) => !isReported)) this.#notifyGone();
    return this.others();
  }

  /** Writes this process's heartbeat and reads the others'. */
  async turn(): Promise<void> {
    const { db, id, clock, logger } = this.#options;
    try {
      await recordHeartbeat(db, id, clock.now());
      for (const seen of this.#seen.values()) seen.silentTurns++;
      await this.look();
      for (const [other, seen] of this.#seen) {
        if (seen.silentTurns >= GONE_AFTER_TURNS && !seen.isReported) {
          seen.isReported = true;
          this.#notifyGone();
        }
        if (seen.silentTurns >= DELETE_AFTER_TURNS) await forgetProcess(db, other);
      }
    } catch (error) {
      logger.debug({ err: error }, "the heartbeat of this process could not be written");
    }
  }

  /** Call after releasing everything that this process holds, because other processes may then take it over. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#turn;
    // While the database is unavailable, the others detect it by the missing heartbeats.
    await forgetProcess(this.#options.db, this.#options.id).catch(() => {});
  }

  #scheduleTurn(): void {
    this.#timer = this.#options.clock.after(HEARTBEAT_MS, () => {
      this.#turn = this.turn().finally(() => this.#stopped || this.#scheduleTurn());
    });
  }

  #notifyGone(): void {
    if (!this.#stopped) this.#options.left();
  }
}
