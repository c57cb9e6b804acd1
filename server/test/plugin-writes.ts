/** Every write of plugins once, in an order in which each can succeed: its name, request, and sides in the audit log. */
export const PLUGIN_WRITES: readonly [string, string, string, object | undefined, string][] = [
  ["createPlugin", "POST", "/api/plugins", { name: "Tools" }, "after"],
  ["updatePlugin", "PATCH", "/api/plugins?slug=tools", { description: "Changed" }, "both"],
  ["publishPlugin", "POST", "/api/plugins/tools/publish", {}, "both"],
  ["unpublishPlugin", "POST", "/api/plugins/tools/unpublish", undefined, "both"],
  ["addPluginsToGroup", "POST", "/api/groups/changed/plugins", { slugs: ["tools"] }, "after"],
  ["removePluginFromGroup", "DELETE", "/api/groups/changed/plugins?slug=tools", undefined, "before"],
  ["deletePlugin", "DELETE", "/api/plugins?slug=tools", undefined, "before"],
];
