import type { Operation } from "#api/kit/operation";
import { exportAudit } from "./export-audit.ts";
import { listAudit } from "./list-audit.ts";

/** In document order. */
export const auditOperations: readonly Operation[] = [listAudit, exportAudit];
