/** Preloaded by tests: waits of the scan agent, such as those between attempts, take a hundredth of their time. */
import { syncBuiltinESMExports } from "node:module";
import timers from "node:timers/promises";

const { setTimeout: wait } = timers;
timers.setTimeout = ((ms = 0, ...rest: [unknown?, object?]) => wait(ms / 100, ...rest)) as typeof wait;
syncBuiltinESMExports();
