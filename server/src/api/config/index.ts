import type { Operation } from "#api/kit/operation";
import { applyConfig } from "./apply-config.ts";
import { getConfig } from "./get-config.ts";
import { listManagedObjects } from "./list-managed-objects.ts";
import { planConfig } from "./plan-config.ts";
import { releaseFromFiles } from "./release-from-files.ts";

/** In document order. */
export const configOperations: readonly Operation[] = [
  getConfig,
  planConfig,
  applyConfig,
  listManagedObjects,
  releaseFromFiles,
];
