/** The seed of a randomized test: new each time, printed, and repeatable with `FC_SEED`. */
export function seedFor(test: { diagnostic(message: string): void }): number {
  const seed = Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31));
  test.diagnostic(`FC_SEED=${seed} repeats this run`);
  return seed;
}
