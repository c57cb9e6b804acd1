import assert from "node:assert/strict";
import { it } from "node:test";
import { checkWorkers } from "./check-workers.ts";

const GIB = 1024 ** 3;
const statusOf = (workers: number | undefined, { dataDir = "/data", cores = 4, memory = 8 * GIB } = {}) =>
  checkWorkers({ workers, dataDir }, cores, memory).map(({ status, message }) => [status, message]);

it("checks the workers only if WORKERS is set", () => {
  assert.deepEqual(statusOf(undefined), []);
  assert.deepEqual(statusOf(4), [["ok", "4 workers on 4 processor cores."]]);
});

it("warns about more workers than cores, or than fit into the memory", () => {
  assert.deepEqual(statusOf(8), [["warning", "8 workers share 4 processor cores."]]);
  assert.deepEqual(statusOf(4, { memory: GIB }), [
    ["warning", "4 workers need about 1750 MB of memory; this machine has 1024 MB."],
  ]);
});

it("rejects a path that is too long for a socket", () => {
  assert.deepEqual(statusOf(2, { dataDir: `/${"d".repeat(90)}` }), [
    ["error", "DATA_DIR: with WORKERS, the path must be at least 9 bytes shorter."],
  ]);
});
