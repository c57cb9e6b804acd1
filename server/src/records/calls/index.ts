export { type ArrivedCalls, followCalls, whereLogEnds } from "./arrivals.ts";
export { type ErrorGroup, readErrorGroups } from "./errors.ts";
export { deleteCallStatsBefore } from "./forget.ts";
export { Tally } from "./histogram.ts";
export { lastUseOfServers } from "./last-used.ts";
export { type CallFilters, type CallPage, findCall, type ListedCall, lastCallsOf, listCalls } from "./list.ts";
export { countEarlierCalls } from "./minutes.ts";
export { LogNames } from "./names.ts";
export { type RecentCalls, recentCallsOf } from "./recent.ts";
export { type CallStats, readCallStats, type StatsWanted } from "./stats.ts";
export { deleteCallsBefore, forgetSpools, moveCalls, type SpoolStep, spoolPosition } from "./store.ts";
export {
  AUTH_METHODS,
  CALL_METHODS,
  CALL_OUTCOMES,
  type CallMethod,
  type CallOutcome,
  type CallRecord,
  type CallVia,
} from "./vocabulary.ts";
