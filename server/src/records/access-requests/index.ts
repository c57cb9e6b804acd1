export {
  type AccessRequest,
  countPendingRequests,
  deleteOldRequests,
  findRequest,
  insertRequest,
  listRequests,
  lockPendingRequest,
  MOST_REQUESTS_PER_USER,
  pendingRequestsOf,
  settleRequest,
} from "./store.ts";
