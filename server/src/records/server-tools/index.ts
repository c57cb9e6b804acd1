export { enabledToolCounts, enabledToolsOf, forgetEnabledTools, replaceTools, type SyncedTool } from "./store.ts";
