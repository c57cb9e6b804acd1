export { type CallFilters, type CallPage, type ListedCall, listCalls } from "./list.ts";
export { LogNames } from "./names.ts";
export { deleteCallsBefore, forgetSpools, moveCalls, type SpoolStep, spoolPosition } from "./store.ts";
export { CALL_METHODS, CALL_OUTCOMES, type CallMethod, type CallOutcome, type CallRecord } from "./words.ts";
