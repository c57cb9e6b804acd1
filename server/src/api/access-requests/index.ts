import type { Operation } from "#api/kit/operation";
import { approveAccessRequest } from "./approve-access-request.ts";
import { denyAccessRequest } from "./deny-access-request.ts";
import { listAccessRequests } from "./list-access-requests.ts";

/** In document order. */
export const accessRequestOperations: readonly Operation[] = [
  listAccessRequests,
  approveAccessRequest,
  denyAccessRequest,
];
