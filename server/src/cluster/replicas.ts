/**
 * Which other processes serve the same organization. Each says twice a second that it lives; one of which nothing new is
 * seen in several of our own turns is taken for gone, whatever the clocks say. Being wrong costs some requests and
 * nothing else.
 */

import type { Config } from "#config/config";
import type { Replicas } from "#gateway/ports";
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { forgetProcess, lastSigns, sayAlive } from "#records/leases";
import type { MainDb } from "#storage/database";

export interface FollowedReplicasNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process. */
  readonly id: string;
  /** One that was there is gone. */
  readonly left: () => void;
}

const SIGN_MS = 500;
/** So many turns without a sign. Turns, and not time: after a pause of this process the others' signs are there, too. */
const GONE_AFTER = 3;
const FORGOTTEN_AFTER = 120;

/** Undefined: there are no others, or none asks this one. */
export function followReplicas(
  { databaseUrl, role }: Pick<Config, "databaseUrl" | "role">,
  needs: FollowedReplicasNeeds,
): FollowedReplicas | undefined {
  return databaseUrl === undefined || role === "admin" ? undefined : new FollowedReplicas(needs);
}

export class FollowedReplicas implements Replicas {
  readonly #needs: FollowedReplicasNeeds;
  /** By process, its last sign, and for how many of our turns there was no newer one. */
  readonly #seen = new Map<string, { sign: number; silentTurns: number }>();
  #timer: Timer | undefined;
  #turn: Promise<void> | undefined;
  #stopped = false;

  constructor(needs: FollowedReplicasNeeds) {
    this.#needs = needs;
  }

  /** Before it serves: from then on others know of it. */
  async start(): Promise<void> {
    await this.turn();
    this.#later();
  }

  /** Also those that were seen in the last minute: one that hangs may come back. */
  others(): boolean {
    return this.#seen.size > 0;
  }

  has(id: string): boolean {
    return (this.#seen.get(id)?.silentTurns ?? GONE_AFTER) < GONE_AFTER;
  }

  async look(): Promise<boolean> {
    const signs = await lastSigns(this.#needs.db);
    signs.delete(this.#needs.id);
    const left = [...this.#seen.keys()].filter((other) => !signs.has(other) && this.has(other));
    for (const other of this.#seen.keys()) if (!signs.has(other)) this.#seen.delete(other);
    for (const [other, sign] of signs)
      if (this.#seen.get(other)?.sign !== sign) this.#seen.set(other, { sign, silentTurns: 0 });
    if (left.length > 0) this.#tellThatOneLeft();
    return this.others();
  }

  /** Says that this process lives, and looks who else does. */
  async turn(): Promise<void> {
    const { db, id, clock, logger } = this.#needs;
    try {
      await sayAlive(db, id, clock.now());
      for (const seen of this.#seen.values()) seen.silentTurns++;
      await this.look();
      for (const [other, { silentTurns }] of this.#seen) {
        if (silentTurns === GONE_AFTER) this.#tellThatOneLeft();
        if (silentTurns >= FORGOTTEN_AFTER) await forgetProcess(db, other);
      }
    } catch (error) {
      logger.debug({ err: error }, "other processes could not be told that this one lives");
    }
  }

  /** After what it held is given up: others may have it then. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#timer?.cancel();
    await this.#turn;
    // While the database is away, others find out by themselves.
    await forgetProcess(this.#needs.db, this.#needs.id).catch(() => {});
  }

  #later(): void {
    this.#timer = this.#needs.clock.after(SIGN_MS, () => {
      this.#turn = this.turn().finally(() => this.#stopped || this.#later());
    });
  }

  #tellThatOneLeft(): void {
    if (!this.#stopped) this.#needs.left();
  }
}
