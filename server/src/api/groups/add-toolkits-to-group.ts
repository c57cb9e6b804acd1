import { z } from "zod";
import { Success } from "#api/kit/answers";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, unknownReferences } from "#lib/errors";
import { lockGroup, toolkitLinks } from "#records/groups";
import { findToolkitsBySlug } from "#records/toolkits";

const MOST_SLUGS = 1_000;

export const AddToolkitsBody = z
  .object({
    slugs: z
      .array(text(), {
        error: (issue) => (issue.input === undefined ? "slugs array cannot be empty" : "must be an array"),
      })
      .min(1, { error: "slugs array cannot be empty" })
      .max(MOST_SLUGS, { error: `must contain at most ${MOST_SLUGS} slugs` })
      .describe("Slugs of the toolkits to add. Toolkits already in the group are skipped"),
  })
  .meta({ id: "AddToolkits", description: "Toolkits to add", example: { slugs: ["triage"] } });

/** Families 1. Toolkits of users cannot be shared, so they are unknown here. */
export const addToolkitsToGroup = write({
  id: "addToolkitsToGroup",
  route: "POST /api/groups/{name}/toolkits",
  tag: "Groups",
  summary: "Add toolkits to a group",
  description: "Adds all toolkits, or none if one is unknown. Toolkits already in the group are skipped.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  body: AddToolkitsBody,
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to add toolkits to group",
  async run({ tx, trail, path, body }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const slugs = [...new Set(body.slugs)];
    const toolkits = (await findToolkitsBySlug(tx, slugs)).filter(({ owner_id: ownerId }) => ownerId === null);
    const unknown = slugs.filter((slug) => !toolkits.some((toolkit) => toolkit.slug === slug));
    if (unknown.length > 0) throw unknownReferences("Toolkits", unknown);
    const links = toolkits.map((toolkit) => ({ groupId: group.id, memberId: toolkit.id }));
    await toolkitLinks.add(tx, trail, links);
    trail.audit({
      operation: "addToolkitsToGroup",
      target: { kind: "group", id: group.id, name: group.name },
      after: { slugs },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
