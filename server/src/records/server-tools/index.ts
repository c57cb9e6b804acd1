export {
  acceptTools,
  applyToolPolicy,
  countPendingTools,
  findPendingTools,
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
  replaceTools,
  type SyncedTool,
  switchTools,
} from "./store.ts";
