import type { Clock, Timer } from "#lib/clock";
import { isDatabaseAway } from "#storage/constraints";

const RETRY_MS = 1_000;

/** For a start without the database: repeats the preparation until the database is reachable. */
export interface LateDatabase {
  /** Rejects if the preparation fails for another reason; the process then ends. */
  readonly ready: Promise<void>;
  /** `ready` then stays pending. */
  stop(): void;
}

export function awaitDatabase(clock: Clock, prepare: () => Promise<void>): LateDatabase {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let timer: Timer | undefined;
  let isStopped = false;
  const attempt = async () => {
    try {
      await prepare();
      if (!isStopped) resolve();
    } catch (error) {
      if (isStopped) return;
      if (isDatabaseAway(error)) timer = clock.after(RETRY_MS, () => void attempt());
      else reject(error);
    }
  };
  void attempt();
  return {
    ready: promise,
    stop() {
      isStopped = true;
      timer?.cancel();
    },
  };
}
