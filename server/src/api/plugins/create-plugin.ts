import { z } from "zod";
import { write } from "#api/kit/operation";
import { knownGroupIds } from "#api/presenters/group-ids";
import { createPlugin as create, setPluginGroups } from "#records/plugins";
import { CreatePluginBody, PLUGIN_BODY_BYTES } from "./bodies.ts";
import { checkStatus } from "./check-status.ts";
import { presentPlugin } from "./present.ts";
import { Plugin } from "./schema.ts";

/** Families 5. */
export const createPlugin = write({
  id: "createPlugin",
  route: "POST /api/plugins",
  tag: "Plugins",
  summary: "Create a plugin",
  description:
    "A plugin bundles skills, commands, agents and MCP configuration for Claude Code, Cursor and Codex. It stays a draft until it is published.",
  scope: "admin:write",
  body: CreatePluginBody,
  bodyLimitBytes: PLUGIN_BODY_BYTES,
  answers: { 201: z.object({ data: Plugin }) },
  refusals: [400],
  onCrash: "Failed to create plugin",
  async run({ tx, trail, body, context }) {
    checkStatus(body.status, "draft");
    const groupIds = await knownGroupIds(tx, body.groups ?? []);
    const id = context.newId("plg");
    const row = await create(tx, { id, slug: body.slug, name: body.name, now: context.clock.now() }, body);
    await setPluginGroups(tx, trail, id, groupIds);
    const data = await presentPlugin(tx, row, context);
    trail.audit({ operation: "createPlugin", target: { kind: "plugin", id, name: row.slug }, after: data });
    return { status: 201, body: { data } };
  },
});
