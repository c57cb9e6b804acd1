export { type ArrivedCalls, followCalls, logEndCursor } from "./arrivals.ts";
export type { CallFinding, CallGuard, CallRecord } from "./call-record.ts";
export { countEarlierDay } from "./days.ts";
export { type ErrorGroup, readErrorGroups } from "./errors.ts";
export { deleteCallStatsBefore } from "./forget.ts";
export { addGuardCounts, deleteGuardCountsBefore, type GuardCount, guardCountsOf } from "./guard-counts.ts";
export { Tally } from "./histogram.ts";
export { lastUseOfServers } from "./last-used.ts";
export {
  type CallFilters,
  type CallPage,
  findCall,
  isSearch,
  type ListedCall,
  lastCallsOf,
  listCalls,
} from "./list.ts";
export { countEarlierCalls } from "./minutes.ts";
export { LogNames } from "./names.ts";
export { FAILING_MS, failingServers, type RecentCalls, type RecentFailure, recentCallsOf } from "./recent.ts";
export { callsBetween, firstCallFrom, lastCallNumber, oldestCallAfter } from "./shipped.ts";
export { type CallStats, readCallStats, type StatsWanted } from "./stats.ts";
export { deleteCallsBefore, forgetSpools, moveCalls, type SpoolStep, spoolPosition } from "./store.ts";
