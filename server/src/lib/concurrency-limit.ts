export type RunLimited = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Limits the number of concurrent tasks. A finished task passes its slot to the longest waiting one, so that a new task
 * cannot take it in between and exceed the limit.
 */
export function createConcurrencyLimit(maxConcurrent: number): RunLimited {
  const waiting: (() => void)[] = [];
  let free = maxConcurrent;
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free++;
    }
  };
}
