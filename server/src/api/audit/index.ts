import type { Operation } from "#api/kit/operation";
import { exportAudit } from "./export-audit.ts";
import { getAuditChain } from "./get-audit-chain.ts";
import { listAudit } from "./list-audit.ts";
import { verifyAudit } from "./verify-audit.ts";

/** In document order. */
export const auditOperations: readonly Operation[] = [listAudit, exportAudit, verifyAudit, getAuditChain];
