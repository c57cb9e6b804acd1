export { decisionBarrier, requireDecider } from "./decision.ts";
export {
  deleteApprovalsBefore,
  expireApproval,
  expireApprovals,
  expireApprovalsOfServer,
  forgetArguments,
} from "./expire.ts";
export { type ApprovalFilter, type ListedApproval, listApprovals, searchApprovals } from "./list.ts";
export { type ApprovedCall, digestsOf, openArguments, sealArguments } from "./seal-arguments.ts";
export {
  APPROVAL_MS,
  approvalPath,
  approvalsByIds,
  consumeApproval,
  countPending,
  decideApproval,
  eventOf,
  findApproval,
  findByDigest,
  insertApproval,
  LARGEST_ARGUMENTS_BYTES,
  lockApproval,
  MOST_PENDING_PER_USER,
  reasonOf,
} from "./store.ts";
