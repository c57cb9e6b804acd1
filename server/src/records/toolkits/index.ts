export {
  ALL_TOOLS,
  checkEntries,
  type GivenTool,
  MAX_INSTRUCTIONS_BYTES,
  MAX_TOOLKIT_ITEMS,
  MAX_TOOLKIT_TOOLS,
  toolkitTool,
} from "./check-entries.ts";
export {
  type BrokenTool,
  brokenTools,
  checkToolkit,
  countTools,
  exposedName,
  toolkitWarnings,
} from "./check-toolkit.ts";
export { renameCommandInToolkits } from "./commands.ts";
export { type KnownServer, type KnownServers, knownServersOf } from "./known-servers.ts";
export { type PublishedToolkit, publishedToolkitsAfter, publishedToolkitsByIds } from "./published.ts";
export {
  changeToolkit,
  createToolkit,
  type GivenToolkit,
  type LimitKnown,
  type SavedToolkit,
  withTools,
} from "./save.ts";
export { namedServers, renameServerInToolkits } from "./servers.ts";
export {
  countToolkits,
  deleteToolkit,
  findToolkit,
  findToolkitsBySlug,
  insertToolkit,
  listToolkits,
  lockToolkit,
  noteToolkitsOfDeletedUser,
  searchToolkits,
  setToolkitGroups,
  type ToolkitChanges,
  type ToolkitFilter,
  toolkitSearchText,
  toolkitsOfUser,
  updateToolkit,
  usersBoundTo,
} from "./store.ts";
