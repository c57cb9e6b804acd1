import { Success } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { lockGroup, toolkitLinks } from "#records/groups";
import { findToolkit } from "#records/toolkits";

/** Families 1. Succeeds for a toolkit that is not in the group, as for servers (D20). */
export const removeToolkitFromGroup = write({
  id: "removeToolkitFromGroup",
  route: "DELETE /api/groups/{name}/toolkits",
  tag: "Groups",
  summary: "Remove a toolkit from a group",
  description: "Succeeds if the toolkit is not in the group.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { slug: targetParameter("The toolkit's slug", "triage") },
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to remove toolkit from group",
  async run({ tx, trail, path, query }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const toolkit = await findToolkit(tx, query.slug);
    if (!toolkit) throw notFound.toolkit();
    const wasLinked = await toolkitLinks.remove(tx, trail, { groupId: group.id, memberId: toolkit.id });
    trail.audit({
      operation: "removeToolkitFromGroup",
      target: { kind: "group", id: group.id, name: group.name },
      before: { slugs: wasLinked ? [toolkit.slug] : [] },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
