import { fileURLToPath } from "node:url";

/** The arguments of Node that start `gatehouse`. */
export const GATEHOUSE: readonly string[] = [fileURLToPath(new URL("../../dist/bin/gatehouse.mjs", import.meta.url))];
