import { z } from "zod";
import { Success } from "#api/kit/answers";
import { text } from "#api/kit/body-fields";
import { write } from "#api/kit/operation";
import { pathParameter } from "#api/kit/parameters";
import { notFound, unknownReferences } from "#lib/errors";
import { lockGroup, serverLinks } from "#records/groups";
import { findServersBySlug } from "#records/mcp-servers";

const MOST_SLUGS = 1_000;

export const AddIntegrationsBody = z
  .object({
    slugs: z
      .array(text(), {
        error: (issue) => (issue.input === undefined ? "slugs array cannot be empty" : "must be an array"),
      })
      .min(1, { error: "slugs array cannot be empty" })
      .max(MOST_SLUGS, { error: `must contain at most ${MOST_SLUGS} slugs` })
      .describe("Slugs of the MCP servers to add. Servers already in the group are skipped"),
  })
  .meta({
    id: "AddIntegrations",
    description: "MCP servers to add",
    example: { slugs: ["github", "jira"] },
  });

/** Spec 4.3: adds all servers or none, and skips those that are already in the group. */
export const addIntegrationsToGroup = write({
  id: "addIntegrationsToGroup",
  route: "POST /api/groups/{name}/integrations",
  tag: "Groups",
  summary: "Add MCP servers to a group",
  description: "Adds all servers, or none if one is unknown. Servers already in the group are skipped.",
  scope: "admin:write",
  path: { name: pathParameter("The group's name, case-insensitive", "Engineering") },
  body: AddIntegrationsBody,
  answers: { 200: Success },
  refusals: [400, 404, 409],
  onCrash: "Failed to add integrations to group",
  async run({ tx, trail, path, body }) {
    const group = await lockGroup(tx, path.name);
    if (!group) throw notFound.group();
    const slugs = [...new Set(body.slugs)];
    const servers = await findServersBySlug(tx, slugs);
    const unknown = slugs.filter((slug) => !servers.some((server) => server.slug === slug));
    if (unknown.length > 0) throw unknownReferences("Integrations", unknown);
    const links = servers.map((server) => ({ groupId: group.id, memberId: server.id }));
    await serverLinks.add(tx, trail, links);
    trail.audit({
      operation: "addIntegrationsToGroup",
      target: { kind: "group", id: group.id, name: group.name },
      after: { slugs },
    });
    return { status: 200, body: { data: { success: true } } };
  },
});
