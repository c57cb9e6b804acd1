import { Success } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockGroup, pluginLinks } from "#records/groups";
import { findPlugin } from "#records/plugins";

/** Families 1. Succeeds for a plugin that is not in the group, as for servers (D20). */
export const removePluginFromGroup = write({
  id: "removePluginFromGroup",
  route: "DELETE /api/groups/{name}/plugins",
  tag: "Groups",
  summary: "Remove a plugin from a group",
  description: "Succeeds if the plugin is not in the group.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { slug: targetParameter("The plugin's slug", "engineering") },
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to remove plugin from group",
  async run({ tx, trail, path, query }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const plugin = await findPlugin(tx, query.slug);
    if (!plugin) throw notFound.plugin();
    const wasLinked = await pluginLinks.remove(tx, trail, { groupId: group.id, memberId: plugin.id });
    trail.audit({
      operation: "removePluginFromGroup",
      target: { kind: "group", id: group.id, name: group.name },
      before: { slugs: wasLinked ? [plugin.slug] : [] },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
