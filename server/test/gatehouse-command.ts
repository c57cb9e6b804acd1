import { fileURLToPath } from "node:url";

const BIN = fileURLToPath(new URL("../../bin/gatehouse.mjs", import.meta.url));
const PRELOAD = new URL("../../tooling/resolve-imports.mjs", import.meta.url).href;

/**
 * The arguments of Node that start `gatehouse`. The preload saves a quarter of the processor time of a start. The tests of
 * `npm start`, of the package, and in acceptance/ start it without the preload.
 */
export const GATEHOUSE: readonly string[] = [`--import=${PRELOAD}`, BIN];
