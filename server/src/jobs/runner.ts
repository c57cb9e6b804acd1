import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { releaseLease, takeLease } from "#records/leases";
import type { MainDb } from "#storage/database";

/** A periodic job. A job that is `oncePerOrganization` runs in one process at a time, the one that holds its lease. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly oncePerOrganization: boolean;
  /** Runs immediately after the start as well, instead of first after one period. */
  readonly atStart?: boolean;
  run(): Promise<void>;
  /** Ends a run that can take very long. Called when the runner stops. */
  cancel?(): void;
}

/** The results of a job's runs in this process. */
export interface JobHistory {
  readonly succeeded: number;
  readonly failed: number;
  /** Epoch milliseconds. */
  readonly succeededAt: number | undefined;
}

export interface JobRunner {
  start(): void;
  /** By name. Jobs that have not run yet are missing. */
  history(): ReadonlyMap<string, JobHistory>;
  /** Resolves when no job is running. */
  stop(): Promise<void>;
}

export interface JobRunnerNeeds {
  readonly db: MainDb;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Identifies this process in the lease rows. */
  readonly holder: string;
}

/**
 * Longer than a period, so that the holder keeps the lease from run to run. The lease of a dead holder expires soon.
 */
const PERIODS_PER_LEASE = 1.5;

/** Runs all periodic jobs. A job that fails is logged and runs again after its period. */
export function createJobRunner(jobs: readonly Job[], { db, clock, logger, holder }: JobRunnerNeeds): JobRunner {
  const timers = new Map<string, Timer>();
  const underWay = new Map<string, Promise<void>>();
  const held = new Set<string>();
  const histories = new Map<string, JobHistory>();
  let stopped = false;

  const historyOf = ({ name }: Job) => histories.get(name) ?? { succeeded: 0, failed: 0, succeededAt: undefined };
  const runOnce = async (job: Job): Promise<void> => {
    try {
      const lease = job.oncePerOrganization ? await hold(job) : undefined;
      if (lease === "not held") return;
      try {
        // The lease can arrive after this runner was stopped.
        if (!stopped) {
          await job.run();
          const { succeeded, failed } = historyOf(job);
          histories.set(job.name, { succeeded: succeeded + 1, failed, succeededAt: clock.now() });
        }
      } finally {
        await lease?.stopRenewing();
      }
    } catch (error) {
      const before = historyOf(job);
      histories.set(job.name, { ...before, failed: before.failed + 1 });
      logger.warn({ err: error, job: job.name }, "a periodic job failed; it runs again after its period");
    }
  };
  /** Renews the lease while the job runs. Afterwards the holder keeps it until its next run. */
  const hold = async (job: Job): Promise<"not held" | { stopRenewing(): Promise<void> }> => {
    const leaseMs = Math.round(job.everyMs * PERIODS_PER_LEASE);
    const take = () => takeUnexpiredLease({ db, clock, holder }, job.name, leaseMs);
    if (!(await take())) return "not held";
    held.add(job.name);
    let ended = false;
    let renewal: Promise<void> | undefined;
    let timer: Timer;
    const renewLater = () => {
      timer = clock.after(job.everyMs / 2, () => {
        renewal = renew();
      });
    };
    const renew = async () => {
      await take().catch((error: unknown) =>
        logger.warn({ err: error, job: job.name }, "the lease of a periodic job could not be renewed"),
      );
      if (!ended) renewLater();
    };
    renewLater();
    return {
      async stopRenewing() {
        ended = true;
        timer.cancel();
        await renewal;
      },
    };
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
      for (const job of jobs) schedule(job, job.atStart ? 0 : job.everyMs);
    },
    history: () => histories,
    async stop() {
      stopped = true;
      for (const timer of timers.values()) timer.cancel();
      for (const job of jobs) job.cancel?.();
      await Promise.all(underWay.values());
      // Releases the leases for other processes. If the database is unavailable, they expire.
      await Promise.allSettled([...held].map((name) => releaseLease(db, name, holder)));
    },
  };
}

/** Ignores a lease that expired before the response: the request was delayed, and another process may hold it by now. */
async function takeUnexpiredLease(
  { db, clock, holder }: Omit<JobRunnerNeeds, "logger">,
  name: string,
  leaseMs: number,
): Promise<boolean> {
  const requestedAt = clock.now();
  const isTaken = await takeLease(db, name, holder, requestedAt, leaseMs);
  return isTaken && clock.now() < requestedAt + leaseMs;
}
