import { z } from "zod";
import { Success } from "#api/kit/answers";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, unknownReferences } from "#lib/errors";
import { lockGroup, pluginLinks } from "#records/groups";
import { findPluginsBySlug } from "#records/plugins";

const MOST_SLUGS = 1_000;

export const AddPluginsBody = z
  .object({
    slugs: z
      .array(text(), {
        error: (issue) => (issue.input === undefined ? "slugs array cannot be empty" : "must be an array"),
      })
      .min(1, { error: "slugs array cannot be empty" })
      .max(MOST_SLUGS, { error: `must contain at most ${MOST_SLUGS} slugs` })
      .describe("Slugs of the plugins to add. Plugins already in the group are skipped"),
  })
  .meta({ id: "AddPlugins", description: "Plugins to add", example: { slugs: ["engineering"] } });

/** Families 1. */
export const addPluginsToGroup = write({
  id: "addPluginsToGroup",
  route: "POST /api/groups/{name}/plugins",
  tag: "Groups",
  summary: "Add plugins to a group",
  description: "Adds all plugins, or none if one is unknown. Plugins already in the group are skipped.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  body: AddPluginsBody,
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to add plugins to group",
  async run({ tx, trail, path, body }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const slugs = [...new Set(body.slugs)];
    const plugins = await findPluginsBySlug(tx, slugs);
    const unknown = slugs.filter((slug) => !plugins.some((plugin) => plugin.slug === slug));
    if (unknown.length > 0) throw unknownReferences("Plugins", unknown);
    const links = plugins.map((plugin) => ({ groupId: group.id, memberId: plugin.id }));
    await pluginLinks.add(tx, trail, links);
    trail.audit({
      operation: "addPluginsToGroup",
      target: { kind: "group", id: group.id, name: group.name },
      after: { slugs },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
