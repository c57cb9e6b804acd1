import { Success } from "#api/kit/answers";
import { write } from "#api/kit/operation";
import { pathParameter, targetParameter } from "#api/kit/parameters";
import { notFound } from "#lib/errors";
import { findCommand } from "#records/commands";
import { commandLinks, lockGroup } from "#records/groups";

/** Families 1. Succeeds for a command that is not in the group, as for servers (D20). */
export const removeCommandFromGroup = write({
  id: "removeCommandFromGroup",
  route: "DELETE /api/groups/{name}/commands",
  tag: "Groups",
  summary: "Remove a command from a group",
  description: "Succeeds if the command is not in the group.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  query: { slug: targetParameter("The command's slug", "release-notes") },
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to remove command from group",
  async run({ tx, trail, path, query }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const command = await findCommand(tx, query.slug);
    if (!command) throw notFound.command();
    const wasLinked = await commandLinks.remove(tx, trail, { groupId: group.id, memberId: command.id });
    trail.audit({
      operation: "removeCommandFromGroup",
      target: { kind: "group", id: group.id, name: group.name },
      before: { slugs: wasLinked ? [command.slug] : [] },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
