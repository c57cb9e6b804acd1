import type { Operation } from "#api/kit/operation";
import { exportLogs } from "./export-logs.ts";
import { getLog } from "./get-log.ts";
import { getLogStats } from "./get-log-stats.ts";
import { listLogErrors } from "./list-log-errors.ts";
import { listLogs } from "./list-logs.ts";
import { tailLogs } from "./tail-logs.ts";

/** In document order. */
export const logOperations: readonly Operation[] = [listLogs, tailLogs, getLogStats, listLogErrors, exportLogs, getLog];
