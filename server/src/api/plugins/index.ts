import type { Operation } from "#api/kit/operation";
import { createPlugin } from "./create-plugin.ts";
import { deletePlugin } from "./delete-plugin.ts";
import { downloadPlugin } from "./download-plugin.ts";
import { getPlugin } from "./get-plugin.ts";
import { getPluginMarketplace } from "./get-plugin-marketplace.ts";
import { listPluginChanges } from "./list-plugin-changes.ts";
import { listPluginReleases } from "./list-plugin-releases.ts";
import { listPlugins } from "./list-plugins.ts";
import { publishPlugin } from "./publish-plugin.ts";
import { unpublishPlugin } from "./unpublish-plugin.ts";
import { updatePlugin } from "./update-plugin.ts";

/** In document order. */
export const pluginOperations: readonly Operation[] = [
  listPlugins,
  createPlugin,
  updatePlugin,
  deletePlugin,
  getPluginMarketplace,
  getPlugin,
  publishPlugin,
  unpublishPlugin,
  listPluginReleases,
  listPluginChanges,
  downloadPlugin,
];
