import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { takeLease } from "#records/leases";
import type { MainDb } from "#storage/database";

/** Something periodic. One that is `oncePerOrganization` runs in one process at a time, whichever holds its lease. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly oncePerOrganization: boolean;
  run(): Promise<void>;
}

export interface JobRunner {
  start(): void;
  /** Resolves when no job is under way any more. */
  stop(): Promise<void>;
}

export interface JobRunnerNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Names this process in the lease rows. */
  readonly holder: string;
}

/** The one runner for everything periodic: a job that fails is logged and tried again at its next turn. */
export function createJobRunner(jobs: readonly Job[], { db, clock, logger, holder }: JobRunnerNeeds): JobRunner {
  const timers = new Map<string, Timer>();
  const underWay = new Map<string, Promise<void>>();
  let stopped = false;

  const runOnce = async (job: Job): Promise<void> => {
    try {
      // Half a period longer than the period: the holder keeps it from run to run, and a dead holder's ends soon.
      const leaseMs = Math.round(job.everyMs * 1.5);
      if (job.oncePerOrganization && !(await takeLease(db, job.name, holder, clock.now(), leaseMs))) return;
      await job.run();
    } catch (error) {
      logger.warn({ err: error, job: job.name }, "a periodic job failed; it runs again at its next turn");
    }
  };
  const schedule = (job: Job, delayMs: number): void => {
    timers.set(
      job.name,
      clock.after(delayMs, () => {
        const run = runOnce(job).finally(() => {
          underWay.delete(job.name);
          if (!stopped) schedule(job, job.everyMs);
        });
        underWay.set(job.name, run);
      }),
    );
  };

  return {
    start() {
      for (const job of jobs) schedule(job, job.everyMs);
    },
    async stop() {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      await Promise.all(underWay.values());
    },
  };
}
