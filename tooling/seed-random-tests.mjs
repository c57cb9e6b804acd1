/** Loaded before each test process: random tests use the seed of the run, so that `FC_SEED` repeats them (OPS-13). */
import fc from "fast-check";

const seed = Number(process.env.FC_SEED);
if (Number.isSafeInteger(seed)) fc.configureGlobal({ seed });
