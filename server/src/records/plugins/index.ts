export {
  addMarketplaceCommit,
  type MarketplaceCommit,
  marketplaceCommitsOf,
} from "./marketplaces.ts";
export {
  filesOfRelease,
  findRelease,
  findReleaseByVersion,
  insertRelease,
  latestReleases,
  listReleases,
  type NewRelease,
  releasesOf,
} from "./releases.ts";
export { renameInPlugins } from "./rename.ts";
export { changePlugin, checkReferences, createPlugin, type GivenPlugin } from "./save.ts";
export {
  countPlugins,
  deletePlugin,
  findPlugin,
  findPluginOfUser,
  findPluginsById,
  findPluginsBySlug,
  listPlugins,
  lockPlugin,
  type PluginFilter,
  pluginsOfUser,
  searchPlugins,
  setPluginGroups,
  setPluginStatus,
} from "./store.ts";
