import type { Clock, Timer } from "#lib/clock";
import type { Logger } from "#lib/logger";
import { releaseLease, takeLease } from "#records/leases";
import type { MainDb } from "#storage/database";

/** Something periodic. One that is `oncePerOrganization` runs in one process at a time, whichever holds its lease. */
export interface Job {
  readonly name: string;
  readonly everyMs: number;
  readonly oncePerOrganization: boolean;
  /** Runs right after the start too, and not first after one period. */
  readonly atStart?: boolean;
  run(): Promise<void>;
}

/** What became of a job's turns in this process. */
export interface JobHistory {
  readonly succeeded: number;
  readonly failed: number;
  /** Epoch milliseconds. */
  readonly succeededAt: number | undefined;
}

export interface JobRunner {
  start(): void;
  /** By name, of the jobs that have had a turn. */
  history(): ReadonlyMap<string, JobHistory>;
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
  const held = new Set<string>();
  const histories = new Map<string, JobHistory>();
  let stopped = false;

  const historyOf = ({ name }: Job) => histories.get(name) ?? { succeeded: 0, failed: 0, succeededAt: undefined };
  const runOnce = async (job: Job): Promise<void> => {
    try {
      const lease = job.oncePerOrganization ? await hold(job) : undefined;
      if (lease === "another's") return;
      try {
        // Whoever stops meanwhile may be given the lease of one that stopped before.
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
      logger.warn({ err: error, job: job.name }, "a periodic job failed; it runs again at its next turn");
    }
  };
  /** Renewed while the job runs, however long that takes; afterwards the holder keeps it until its next turn. */
  const hold = async (job: Job): Promise<"another's" | { stopRenewing(): Promise<void> }> => {
    // Half a period longer than the period: the holder keeps it from run to run, and a dead holder's ends soon.
    const leaseMs = Math.round(job.everyMs * 1.5);
    const take = () => takeLease(db, job.name, holder, clock.now(), leaseMs);
    if (!(await take())) return "another's";
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
      await Promise.all(underWay.values());
      // The next process need not wait for the leases to end; if the database is away, they end by themselves.
      await Promise.allSettled([...held].map((name) => releaseLease(db, name, holder)));
    },
  };
}
