export type InTurn = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Lets so many pieces of work run at once. One that ends hands its place to the one that waited longest, so that
 * nobody who comes in between can take it and make one too many.
 */
export function createTurns(mostAtOnce: number): InTurn {
  const waiting: (() => void)[] = [];
  let free = mostAtOnce;
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
