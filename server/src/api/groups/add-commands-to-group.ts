import { z } from "zod";
import { Success } from "#api/kit/answers";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, unknownReferences } from "#lib/errors";
import { findCommandsBySlug } from "#records/commands";
import { commandLinks, lockGroup } from "#records/groups";

const MOST_SLUGS = 1_000;

export const AddCommandsBody = z
  .object({
    slugs: z
      .array(text(), {
        error: (issue) => (issue.input === undefined ? "slugs array cannot be empty" : "must be an array"),
      })
      .min(1, { error: "slugs array cannot be empty" })
      .max(MOST_SLUGS, { error: `must contain at most ${MOST_SLUGS} slugs` })
      .describe("Slugs of the commands to add. Commands already in the group are skipped"),
  })
  .meta({ id: "AddCommands", description: "Commands to add", example: { slugs: ["release-notes"] } });

/** Families 1. */
export const addCommandsToGroup = write({
  id: "addCommandsToGroup",
  route: "POST /api/groups/{name}/commands",
  tag: "Groups",
  summary: "Add commands to a group",
  description: "Adds all commands, or none if one is unknown. Commands already in the group are skipped.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  body: AddCommandsBody,
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to add commands to group",
  async run({ tx, trail, path, body }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const slugs = [...new Set(body.slugs)];
    const commands = await findCommandsBySlug(tx, slugs);
    const unknown = slugs.filter((slug) => !commands.some((command) => command.slug === slug));
    if (unknown.length > 0) throw unknownReferences("Commands", unknown);
    const links = commands.map((command) => ({ groupId: group.id, memberId: command.id }));
    await commandLinks.add(tx, trail, links);
    trail.audit({
      operation: "addCommandsToGroup",
      target: { kind: "group", id: group.id, name: group.name },
      after: { slugs },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
