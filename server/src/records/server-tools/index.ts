export { setToolLimits, type ToolLimits } from "./limits.ts";
export {
  ACCEPTED,
  acceptTools,
  applyToolPolicy,
  countPendingTools,
  findPendingTools,
  isPending,
  nextPin,
  type PendingTool,
  type PinningServer,
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
  type SelectableTool,
  type SyncedTool,
  selectableToolsOf,
  switchTools,
  toolsOfConnectors,
} from "./store.ts";
