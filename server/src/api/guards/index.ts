import type { Operation } from "#api/kit/operation";
import { createGuard } from "./create-guard.ts";
import { decideApproval } from "./decide-approval.ts";
import { deleteGuard } from "./delete-guard.ts";
import { dryRunGuard } from "./dry-run-guard.ts";
import { evaluateGuards } from "./evaluate-guards.ts";
import { getApproval } from "./get-approval.ts";
import { getGuard } from "./get-guard.ts";
import { listGuardApprovals } from "./list-approvals.ts";
import { listGuardCheckTypes } from "./list-check-types.ts";
import { listGuards } from "./list-guards.ts";
import { updateGuard } from "./update-guard.ts";

/** In document order. */
export const guardOperations: readonly Operation[] = [
  listGuards,
  createGuard,
  updateGuard,
  deleteGuard,
  getGuard,
  listGuardCheckTypes,
  evaluateGuards,
  dryRunGuard,
  listGuardApprovals,
  getApproval,
  decideApproval,
];
