export {
  acceptedDigest,
  type EvaluatedRow,
  evaluatedToolsOf,
  type GuardVerdict,
  holdBlocked,
  isNewlyMarked,
  NOT_BLOCKED,
  namesOfOtherTools,
  verdictOf,
} from "./guard-holds.ts";
export { setToolLimits, type ToolLimits } from "./limits.ts";
export { ACCEPTED, type PinningServer } from "./pin.ts";
export {
  acceptTools,
  applyToolPolicy,
  countPendingTools,
  findPendingTools,
  isPending,
  nextPin,
  type PendingTool,
  pendingToolCounts,
  pendingTools,
  type RejectedTool,
  rejectTools,
} from "./pins.ts";
export { type FoundTool, parseToolSearch, searchTools, toolSearchText } from "./search.ts";
export {
  enabledToolCounts,
  enabledToolsOf,
  findListedTool,
  forgetEnabledTools,
  type ListedTool,
  listedToolsOf,
  type Replaced,
  readEnabledTools,
  replaceTools,
  type SelectableTool,
  type SyncedTool,
  selectableToolsOf,
  switchTools,
  toolsOfConnectors,
} from "./store.ts";
export { disabledToolsOf, disableUnlistedTools, forgetUnlistedTools, toolLimitsOf } from "./unlisted.ts";
