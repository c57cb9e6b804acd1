export {
  enabledToolCounts,
  enabledToolsOf,
  forgetEnabledTools,
  type ListedTool,
  listedToolsOf,
  replaceTools,
  type SyncedTool,
  switchTools,
} from "./store.ts";
