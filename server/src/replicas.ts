/**
 * Which other processes serve the same organization. Each says twice a second that it lives; one of which nothing new is
 * seen for a while, by our own clock, is taken for gone. Being wrong costs some requests and nothing else.
 */
import type { Replicas } from "#gateway/ports";
import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { forgetProcess, lastSigns, sayAlive } from "#records/leases";
import type { MainDb } from "#storage/database";
import type { Config } from "./config.ts";

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
const GONE_MS = 1_500;
const FORGOTTEN_MS = 60_000;

/** Undefined: there are no others, or none asks this one. */
export function followReplicas(
  { databaseUrl, role }: Pick<Config, "databaseUrl" | "role">,
  needs: FollowedReplicasNeeds,
): FollowedReplicas | undefined {
  return databaseUrl === undefined || role === "admin" ? undefined : new FollowedReplicas(needs);
}

export class FollowedReplicas implements Replicas {
  readonly #needs: FollowedReplicasNeeds;
  readonly #seen = new Map<string, { sign: number; at: number; isGone: boolean }>();
  #timer: Timer | undefined;
  #turn: Promise<void> | undefined;
  #stopped = false;

  constructor(needs: FollowedReplicasNeeds) {
    this.#needs = needs;
  }

  /** Before it serves: from then on others know of it. */
  async start(): Promise<void> {
    await this.#say();
    this.#later();
  }

  /** Also those that were seen in the last minute: one that hangs may come back. */
  others(): boolean {
    return this.#seen.size > 0;
  }

  async look(): Promise<boolean> {
    const { db, id, clock, left } = this.#needs;
    const signs = await lastSigns(db);
    signs.delete(id);
    const now = clock.monotonic();
    let someLeft = false;
    for (const [other, seen] of this.#seen) {
      const sign = signs.get(other);
      const isGone = sign === undefined || (sign === seen.sign && now - seen.at >= GONE_MS);
      someLeft ||= isGone && !seen.isGone;
      seen.isGone = isGone;
      if (sign === undefined) this.#seen.delete(other);
      else if (isGone && now - seen.at >= FORGOTTEN_MS) await forgetProcess(db, other);
    }
    for (const [other, sign] of signs)
      if (this.#seen.get(other)?.sign !== sign) this.#seen.set(other, { sign, at: now, isGone: false });
    if (someLeft && !this.#stopped) left();
    return this.others();
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
      this.#turn = this.#say().finally(() => this.#stopped || this.#later());
    });
  }

  async #say(): Promise<void> {
    const { db, id, clock, logger } = this.#needs;
    try {
      await sayAlive(db, id, clock.now());
      await this.look();
    } catch (error) {
      logger.debug({ err: error }, "other processes could not be told that this one lives");
    }
  }
}
